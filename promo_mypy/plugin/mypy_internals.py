"""Every step outside mypy's public plugin surface, with its reason and the test that guards it.

mypy's plugin interface promises `api.fail`, `api.get_expression_type` and class look-up. What follows goes further:

- `report`: mypy checks `a + b` as `a.__add__(b)` and then `b.__radd__(a)` with errors captured, and discards the
  result of the side that failed. A diagnostic of ours is no reason to try the other side, so it is reported past the
  watchers that capture errors. (tests/plugin/test_routes.py)
- `Watch`: one watcher at the bottom of mypy's stack takes our bookkeeping out of messages, the rank argument of
  tensors, the second class of weak arrays, the private name of a stock operator and what stands beside a promotion
  (tests/plugin/test_messages.py, tests/plugin/test_stock_fallback.py, tests/plugin/promoted). It sees what mypy
  refuses, too: see `hidden_errors`. And `Declarations` replaces mypy's table of declared variables.
- `has_stock_operator`, `stock_operator`, `stock_member`: the original declaration of an operator that we opened, bound
  to its receiver. (tests/plugin/test_stock_fallback.py, test_type_variables.py)
- `function_hook`, `method_hook`: only the first plugin with a hook for a name is asked, so a hook of ours that only
  looks on has to ask the others itself. (tests/plugin/test_first_calls.py)
- `folded`: the value of `2**63`, of which the type says nothing. (tests/plugin/functions/test_registry_calls.py)
- `module_name`, `tree`, `current_function`, `is_enabled`, `shows_traceback`, `expression_type`: the state of the
  checker behind the interface.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from mypy.checker import TypeChecker
from mypy.checkmember import analyze_member_access
from mypy.constant_fold import constant_fold_expr
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo, Errors, ErrorWatcher
from mypy.nodes import CallExpr, Context, Expression, FuncItem, MypyFile, Node
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import (
    FunctionLike,
    Instance,
    Overloaded,
    Type,
    get_proper_type,
)

from promo_mypy.plugin import join_markers, names, promoted_messages
from promo_mypy.plugin.declarations import Declarations
from promo_mypy.plugin.error_places import ErrorPlaces
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.pass_memo import PassMemo

if TYPE_CHECKING:
    from promo_mypy.plugin.axis_lengths import AxisLengths
    from promo_mypy.plugin.container_aliases import ContainerAliases
    from promo_mypy.plugin.hidden_errors import HiddenErrors
    from promo_mypy.plugin.open_variables import RebindableVariables

# Patterns are compiled when they are first needed: most runs have no such message, and importing them takes 5 ms.
# `Tensor[float32, Any]` and `Tensor[float32, Rank[Any, Known, ...]]`, qualified or not.
_RANK_ARGUMENT: Final = r"(\bTensor\[(?:[^\[\],]|\[[^\[\]]*\])*), (?:Any|(?:[\w.]+\.)?Rank\[[^\[\]]*\])\]"

# A class object is shown with the parameters that we gave its class: `type[Array[DType]]`.
_PARAMETERS: Final = r"\[DType(?:, Rank)?\]"

_ERROR_PLACES: Final = ErrorPlaces()

#: A file to what says the open types of its variables.
OpenTypes = Callable[[MypyFile], "RebindableVariables"]


def checker(api: CheckerPluginInterface) -> TypeChecker:
    """The type checker behind the plugin interface; it has no other implementation."""
    assert isinstance(api, TypeChecker)
    return api


def module_name(api: CheckerPluginInterface) -> str:
    """The full name of the module that is being checked."""
    return checker(api).tree.fullname


def tree(api: CheckerPluginInterface) -> MypyFile:
    """The syntax tree of the module that is being checked."""
    return checker(api).tree


def current_function(api: CheckerPluginInterface) -> FuncItem | None:
    """The innermost function that is being checked; None at the top of a file or in a class."""
    return checker(api).scope.current_function()


def is_left_alone(file: MypyFile, errors: Errors) -> bool:
    """Whether a file is an array library's own, and mypy shows no error of it: its variables are nobody's affair.

    There are hundreds of such files where mypy's cache is empty, and the code in their functions is hardly looked at.
    """
    return is_own(file.fullname) and file.path in errors.ignored_files


def function_hook(api: CheckerPluginInterface, fullname: str) -> Callable[[FunctionContext], Type] | None:
    """What all plugins together, mypy's own one last, answer for a function."""
    return checker(api).plugin.get_function_hook(fullname)


def method_hook(api: CheckerPluginInterface, fullname: str) -> Callable[[MethodContext], Type] | None:
    """What all plugins together, mypy's own one last, answer for a method."""
    return checker(api).plugin.get_method_hook(fullname)


def shows_traceback(api: CheckerPluginInterface) -> bool:
    """Whether mypy was asked for the traceback of a defect."""
    return checker(api).options.show_traceback


def is_enabled(api: CheckerPluginInterface, code: ErrorCode) -> bool:
    """Whether mypy would show an error of that code in the file that is being checked."""
    return checker(api).errors.is_error_code_enabled(code)


def is_reported(api: CheckerPluginInterface, context: Context, code: ErrorCode) -> bool:
    """Whether mypy is going to show an error of that code at that very place; it shows none that is ignored there."""
    errors = checker(api).errors
    # As mypy completes a place: the operator that it makes of `divmod(x, y)` has a line and nothing else.
    end_line = max(context.line, context.end_line or context.line)
    end_column = -1 if context.end_column is None else context.end_column
    if end_line == context.line:
        end_column = max(end_column, context.column + 1)
    place = (context.line, context.column, end_line, end_column)
    known = errors.error_info_map.get(errors.file)
    return known is not None and _ERROR_PLACES.has(known, place, code)


def report(api: CheckerPluginInterface, message: str, context: Context, code: ErrorCode) -> None:
    """Report past every watcher that would capture or discard the error, once for one expression and code.

    mypy asks both sides of a comparison that the left one does not accept; the second answer says nothing new.
    """
    if is_reported(api, context, code):
        return
    errors = checker(api).errors
    watchers = errors._watchers
    errors._watchers = []
    try:
        api.fail(message, context, code=code)
    finally:
        errors._watchers = watchers


class Watch:
    """Follows mypy through a run: cleans messages on their way out, opens variables as they get their types."""

    def __init__(self, open_types: OpenTypes, refused: "HiddenErrors") -> None:
        self._open_types = open_types
        self._refused = refused
        self._filter = self._see  # one object: it is looked for at every hook
        self._current: TypeChecker | None = None
        self._errors: Errors | None = None
        self._module: str | None = None
        self._tables: WeakValueDictionary[str, Declarations] = WeakValueDictionary()
        self.memo = PassMemo()
        """What is remembered in the pass over a file that is under way."""
        self.known_calls: set[Node] = set()
        """The calls in that pass whose result mypy alone does not know."""
        self.closer_calls: set[Node] = set()
        """Those of whose result it knows the class alone, and no dtype."""
        self.decided_calls: set[Node] = set()
        """Those of which the last overload that it tries says something."""
        self.aliases: ContainerAliases | None = None
        """What is known of the names of containers in the file; None where its variables are nobody's affair."""
        self.lengths: AxisLengths | None = None
        """The lengths of axes in the file, likewise."""
        self.closed: Type | None = None
        """The result of the call that was closed last."""
        self.replayed: dict[Expression, CallExpr] = {}
        """The kept functions that mypy is looking into for a call, with that call."""
        self.reported: set[Node] = set()
        """What was reported in that pass as the source of a forbidden dtype."""
        self._rests = False

    def install(self, errors: Errors) -> None:
        """Put a watcher at the bottom of the stack, below everything that mypy captures for itself."""
        watchers = errors._watchers
        if not watchers or watchers[0]._filter is not self._filter:
            watchers.insert(0, ErrorWatcher(errors, filter_errors=self._filter))

    def _see(self, file: str, info: ErrorInfo) -> bool:
        current = self._current
        is_asked = current is not None and info.code in self._refused.codes and not self.is_behind()
        if current is not None and is_asked and self._refused.hides(current, info):
            return True
        # With an empty cache mypy makes thousands of errors in libraries' files, and shows none of them.
        is_hidden = current is not None and file in current.errors.ignored_files
        return not is_hidden and _clean(info)

    def follow(self, api: CheckerPluginInterface) -> None:
        """Make sure that the errors and the variables of the file being checked are seen; cheap if they are."""
        current = checker(api)
        self.install(current.errors)
        is_new = type(current.var_decl_frames) is not Declarations
        if not is_new and current is self._current and current.tree.fullname == self._module:
            self._rests = False
            return
        self._rests = is_new and (
            is_left_alone(current.tree, current.errors) or current.tree.is_typeshed_file(current.options)
        )
        if is_new and not self._rests:
            # The first hook in this file: some variables may have their types already.
            self._module, self.reported = None, set()
            known = dict(current.var_decl_frames)
            variables = self._open_types(current.tree)
            variables.open_numbers()
            replaced = self._tables.get(current.tree.fullname)
            if replaced is not None:
                replaced.close()
            table = self._tables[current.tree.fullname] = Declarations(current, variables)
            current.var_decl_frames = table
            for variable, frames in known.items():
                table[variable] = frames
        if current.tree.fullname != self._module:
            # mypy may come back to a file of an import cycle: its calls are remembered, options may be others here.
            self._errors, self._module, self._current = current.errors, current.tree.fullname, current
            self.memo = PassMemo()
            declared = current.var_decl_frames
            self.known_calls, self.closer_calls, self.decided_calls = set(), set(), set()
            self.aliases, self.lengths = None, None
            if isinstance(declared, Declarations):
                variables = declared.variables
                self.known_calls, self.closer_calls = variables.known_calls, variables.closer_calls
                self.decided_calls = variables.decided_calls
                self.aliases, self.lengths = variables.aliases, variables.lengths

    def leaves_alone(self, api: CheckerPluginInterface) -> bool:
        """Follow, and say whether the file is left alone, or one of the standard library's stubs."""
        self.follow(api)
        return self._rests

    @property
    def module(self) -> str | None:
        """The file that was followed last."""
        return self._module

    def is_behind(self) -> bool:
        """Whether mypy has gone on to another file since `follow`, so that the next hook in it should follow."""
        return self._errors is None or self._errors.current_module() != self._module


def _clean(info: ErrorInfo) -> bool:
    info.message = join_markers.without(info.message)
    if "Tensor[" in info.message:
        info.message = re.sub(_RANK_ARGUMENT, r"\1]", info.message)
    if names.STOCK_PREFIX in info.message:
        info.message = info.message.replace(names.STOCK_PREFIX, "")
    if "[DType" in info.message:
        info.message = re.sub(_PARAMETERS, "", info.message)
    if "Promote[" in info.message:
        info.message = promoted_messages.as_written(info.message)
        return promoted_messages.returns_an_operand(info.message)
    return False


def quiet_type(api: CheckerPluginInterface, expression: Expression) -> Type:
    """The type of an expression that mypy is going to check in its turn: nothing is reported."""
    with checker(api).msg.filter_errors():
        return api.get_expression_type(expression)


def expression_type(current: TypeChecker, expression: Expression) -> Type | None:
    """The type that mypy has found for an expression, without checking it again; None if it has none yet."""
    return current.lookup_type_or_none(expression)


def folded(api: CheckerPluginInterface, expression: Expression) -> object:
    """The value of an expression that is made of literals alone; None for any other."""
    return constant_fold_expr(expression, module_name(api))


def has_stock_operator(receiver: Instance, name: str) -> bool:
    """Whether that operator of the receiver's class is one of ndarray's that we opened."""
    definer = receiver.type.get_containing_type_info(name)
    return definer is not None and names.STOCK_PREFIX + name in definer.names


def stock_member(api: CheckerPluginInterface, receiver: Type, name: str, context: Context) -> Type:
    """The operator as the library declares it, where mypy looks it up in a value of any type."""
    found = analyze_member_access(
        names.STOCK_PREFIX + name,
        receiver,
        context,
        is_lvalue=False,
        is_super=False,
        is_operator=True,
        original_type=receiver,
        chk=checker(api),
    )
    return _under_its_own_name(found) or found


def stock_operator(
    api: CheckerPluginInterface, array: Instance, name: str, context: Context, *, may_reverse: bool
) -> FunctionLike | None:
    """The declaration that NumPy's stubs give that operator, bound to `array`; None if it does not accept `array`.

    Where Python has no other operand to ask (unary and in-place operators), what mypy has to say then is reported.
    """
    expressions = checker(api).expr_checker
    if may_reverse:
        found = expressions.lookup_operator(names.STOCK_PREFIX + name, array, context)
    else:
        found = stock_member(api, array, name, context)
    return _under_its_own_name(found) if found is not None else None


def _under_its_own_name(typ: Type) -> FunctionLike | None:
    proper = get_proper_type(typ)
    if not isinstance(proper, FunctionLike):
        return None
    # mypy words an error about an operand by the name of the method: `"__add__" of "ndarray"`.
    items = [item.copy_modified(name=item.name and item.name.replace(names.STOCK_PREFIX, "")) for item in proper.items]
    return Overloaded(items) if len(items) > 1 else items[0]
