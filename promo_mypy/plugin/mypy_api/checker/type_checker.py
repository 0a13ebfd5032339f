"""Use mypy's type checker beyond the public plugin surface: each step with its reason and the test that guards it.

mypy's plugin interface promises `api.fail`, `api.get_expression_type` and class look-up. These functions go further:

- `report`: an error of the plugin does not depend on the other operand: see `error_watchers`. mypy tries both operands
  of a comparison, so the plugin checks whether the error was reported already.
  (tests/plugin/operators/test_operator_routes.py, tests/plugin/mypy_api/test_error_places.py)
- `is_left_alone`, `is_reported`: the errors that mypy has reported so far, and the files in which it reports none.
  (tests/plugin/runs/test_library_modules.py)
- `has_stock_operator`, `stock_operator`, `stock_member`: the original declaration of an operator that the plugin
  replaced, bound to its receiver. (tests/plugin/operators/test_stock_fallback.py,
  tests/plugin/annotations/test_type_variables.py)
- `is_checking`: mypy comes back to a file of an import cycle. (tests/plugin/runs/test_other_modules.py)
- `function_hook`, `method_hook`, `attribute_hook`: mypy calls only the first plugin with a hook for a name, so a hook
  that only observes has to call the other plugins itself. (tests/plugin/mypy_api/test_file_start.py)
- `folded`: the value of `2**63`, which its type does not show. (tests/plugin/calls/test_registry_calls.py)
- `module_name`, `tree`, `current_function`, `is_enabled`, `shows_traceback`, `expression_type`: the state of the
  checker behind the interface.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Final

from mypy.checker import TypeChecker as TypeChecker
from mypy.checkmember import analyze_member_access
from mypy.constant_fold import constant_fold_expr
from mypy.errorcodes import MISC, ErrorCode
from mypy.message_registry import INCOMPATIBLE_TYPES_IN_ASSIGNMENT
from mypy.nodes import Context, Expression, FuncItem, MypyFile, Var
from mypy.plugin import AttributeContext, CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import (
    FunctionLike,
    Instance,
    Type,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.error_codes import BY_NAME
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.overloads import of_signatures
from promo_mypy.plugin.mypy_api.reports.error_places import ErrorPlaces
from promo_mypy.plugin.mypy_api.reports.error_watchers import Errors, about_declared, past_watchers
from promo_mypy.plugin.mypy_api.reports.told import Told

with late():
    from promo_mypy.plugin.trees import accepted_lines

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding

_ERROR_PLACES: Final = ErrorPlaces()


#: Receives a finding that is not reported, and its expression.
Heard = Callable[["Finding", Context], None]


def _unheard(_finding: "Finding", _context: Context) -> None:
    pass


_ASIDE: Final[list[tuple[TypeChecker, Heard]]] = []


@contextmanager
def aside(nested: TypeChecker, heard: Heard = _unheard) -> Iterator[None]:
    """Within this context, that checker checks a body aside: see `body_checking`. Nothing is reported, but `heard` is
    told. A loop around it that mypy checks twice collects no revealed types. A crash of mypy is an exception.
    """
    _ASIDE.append((nested, heard))
    try:
        with _raising(nested), nested.msg.filter_errors(filter_errors=False, filter_revealed_type=True):
            yield
    finally:
        _ASIDE.pop()


@contextmanager
def _raising(nested: TypeChecker) -> Iterator[None]:
    """Within this context, mypy raises what makes it crash. Otherwise it would print all errors, and end the run."""
    options, errors = nested.options, nested.errors
    before, options.raise_exceptions = options.raise_exceptions, True
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            shown = set(errors.flushed_files)
            yield
    except Exception:
        errors.flushed_files = shown
        raise
    finally:
        options.raise_exceptions = before


def is_aside(current: object) -> bool:
    """Whether a checker checks a body aside."""
    return any(current is each for each, _ in _ASIDE)


def is_reporting(current: TypeChecker) -> bool:
    """Whether a checker reports, and not semantic analysis, which the daemon runs again after an edit."""
    return current.errors.scope is current.tscope


def checker(api: CheckerPluginInterface) -> TypeChecker:
    """The type checker behind the plugin interface. The interface has no other implementation."""
    assert isinstance(api, TypeChecker)
    return api


def is_checking(current: TypeChecker) -> bool:
    """Whether a checker checks its file now: a daemon goes on with another one."""
    return current.tscope.module is not None


def module_name(api: CheckerPluginInterface) -> str:
    """The full name of the module that is being checked."""
    return checker(api).tree.fullname


def tree(api: CheckerPluginInterface) -> MypyFile:
    """The syntax tree of the module that is being checked."""
    return checker(api).tree


def current_function(api: CheckerPluginInterface) -> FuncItem | None:
    """The innermost function, or copy of one, that is being checked; None at the top of a file or in a class."""
    function = checker(api).scope.current_function()
    return function.expanded[-1] if function is not None and function.expanded else function


def is_left_alone(file: MypyFile, errors: Errors) -> bool:
    """Whether a file belongs to an array library and mypy shows no errors of it: its variables are not tracked.

    With an empty cache there are hundreds of such files, and mypy checks hardly any code in their functions.
    """
    return is_own(file.fullname) and file.path in errors.ignored_files


def modules(api: CheckerPluginInterface) -> Mapping[str, MypyFile]:
    """Every loaded module of the build."""
    return checker(api).modules


def is_daemon(api: CheckerPluginInterface) -> bool:
    """Whether mypy keeps the modules in memory and updates them."""
    return checker(api).options.fine_grained_incremental


def function_hook(api: CheckerPluginInterface, fullname: str) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function from all plugins, mypy's own plugin last."""
    return checker(api).plugin.get_function_hook(fullname)


def method_hook(api: CheckerPluginInterface, fullname: str) -> Callable[[MethodContext], Type] | None:
    """The hook of a method from all plugins, mypy's own plugin last."""
    return checker(api).plugin.get_method_hook(fullname)


def attribute_hook(api: CheckerPluginInterface, fullname: str) -> Callable[[AttributeContext], Type] | None:
    """The hook of an attribute from all plugins, mypy's own plugin last."""
    return checker(api).plugin.get_attribute_hook(fullname)


def shows_traceback(api: CheckerPluginInterface) -> bool:
    """Whether mypy runs with `--show-traceback`."""
    return checker(api).options.show_traceback


def is_enabled(api: CheckerPluginInterface, code: ErrorCode) -> bool:
    """Whether mypy would show an error of that code in the file that is being checked."""
    return checker(api).errors.is_error_code_enabled(code)


def is_reported(api: CheckerPluginInterface, context: Context, code: ErrorCode) -> bool:
    """Whether mypy is going to show an error of that code at exactly that place. It shows no ignored errors."""
    errors = checker(api).errors
    # As mypy completes a place: its operator for `divmod(x, y)` has only a line.
    end_line = max(context.line, context.end_line or context.line)
    end_column = -1 if context.end_column is None else context.end_column
    if end_line == context.line:
        end_column = max(end_column, context.column + 1)
    place = (context.line, context.column, end_line, end_column)
    known = errors.error_info_map.get(errors.file)
    return known is not None and _ERROR_PLACES.has(known, place, code)


def report(api: CheckerPluginInterface, finding: "Finding", context: Context) -> None:
    """Report a finding past every watcher that would capture or discard it, once for each expression and code.

    mypy tries both sides of a comparison that the left side rejects. The second report would repeat the first.
    """
    current, code = checker(api), BY_NAME[finding.code]
    last = max(context.line, context.end_line or context.line)
    if is_reported(api, context, code):
        return
    if is_aside(current):
        next(heard for each, heard in _ASIDE if each is current)(finding, context)
        return
    if accepted_lines.is_accepted(current.errors.file, code.code, context.line, last):
        return
    with past_watchers(checker(api).errors):
        api.fail(Told.of(finding), context, code=code)


def require_annotation(current: TypeChecker, variable: Var, place: Context) -> None:
    """Report that a variable needs an annotation, as mypy does."""
    current.msg.need_annotation_for_var(variable, place, current.options)


def report_incompatible(
    api: CheckerPluginInterface, given: Type, expected: Type, value: Context, *, is_declared: bool = False
) -> bool:
    """Report that a variable cannot hold a value, as mypy does at an assignment. Return whether that is shown.

    `is_declared`: the type of the variable is declared, though the value does not stand in an assignment to it.
    """
    labels, current = ("expression has type", "variable has type"), checker(api)
    with about_declared(current.errors) if is_declared else nullcontext():
        current.check_subtype(given, expected, value, INCOMPATIBLE_TYPES_IN_ASSIGNMENT, *labels)
    return is_reported(api, value, INCOMPATIBLE_TYPES_IN_ASSIGNMENT.code or MISC)


def quiet_type(api: CheckerPluginInterface, expression: Expression) -> Type:
    """The type of an expression that mypy is going to check later. Nothing is reported now."""
    with checker(api).msg.filter_errors():
        return api.get_expression_type(expression)


def take_types(nested: TypeChecker) -> Callable[[Expression], Type | None]:
    """The types that a checker has inferred for expressions, taken out of it.

    A checker is in a reference cycle of mypy: what it holds stays until Python collects garbage.
    """
    (types,) = nested._type_maps
    nested._type_maps = [{}]
    return types.get


def expression_type(current: TypeChecker, expression: Expression) -> Type | None:
    """The type that mypy has inferred for an expression, without checking it again; None if it has none yet."""
    return current.lookup_type_or_none(expression)


def folded(api: CheckerPluginInterface, expression: Expression) -> object:
    """The value of an expression that consists only of literals; None for any other."""
    return constant_fold_expr(expression, module_name(api))


def has_stock_operator(receiver: Instance, name: str) -> bool:
    """Whether that operator of the receiver's class is one of ndarray's operators that the plugin replaced."""
    definer = receiver.type.get_containing_type_info(name)
    return definer is not None and names.STOCK_PREFIX + name in definer.names


def stock_member(api: CheckerPluginInterface, receiver: Type, name: str, context: Context) -> Type:
    """The operator as the library declares it, looked up in a value of any type."""
    found = member_of(api, receiver, names.STOCK_PREFIX + name, context)
    return _under_its_own_name(found) or found


def stock_operator(
    api: CheckerPluginInterface, array: Instance, name: str, context: Context, *, may_reverse: bool
) -> FunctionLike | None:
    """The declaration that NumPy's stubs give that operator, bound to `array`; None if it does not accept `array`.

    For unary and in-place operators Python has no other operand to try, so mypy's errors are reported then.
    """
    stock = names.STOCK_PREFIX + name
    if not may_reverse:
        return _under_its_own_name(member_of(api, array, stock, context))
    with checker(api).msg.filter_errors() as refused:
        found = member_of(api, array, stock, context)
    return None if refused.has_new_errors() else _under_its_own_name(found)


def member_of(api: CheckerPluginInterface, receiver: Type, name: str, context: Context) -> Type:
    """The type of a member that an operator looks up in a value; mypy reports an error if it has no such member."""
    return analyze_member_access(
        name,
        receiver,
        context,
        is_lvalue=False,
        is_super=False,
        is_operator=True,
        original_type=receiver,
        chk=checker(api),
    )


def _under_its_own_name(typ: Type) -> FunctionLike | None:
    proper = get_proper_type(typ)
    if not isinstance(proper, FunctionLike):
        return None
    # mypy's error about an operand shows the name of the method: `"__add__" of "ndarray"`.
    items = [item.copy_modified(name=item.name and item.name.replace(names.STOCK_PREFIX, "")) for item in proper.items]
    return of_signatures(items)
