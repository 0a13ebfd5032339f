"""Every step outside mypy's public plugin surface, with its reason and the test that guards it.

mypy's plugin interface promises `api.fail`, `api.get_expression_type` and class look-up. What follows goes further:

- `report`: mypy checks `a + b` as `a.__add__(b)` and then `b.__radd__(a)` with errors captured, and discards the
  result of the side that failed. A diagnostic of ours is no reason to try the other side, so it is reported past the
  watchers that capture errors. (tests/plugin/test_routes.py)
- `watch`: one watcher at the bottom of mypy's stack sees every error that is about to be recorded. It takes our
  bookkeeping out of messages, the rank argument of tensors and the private name of a stock operator
  (tests/plugin/test_messages.py, tests/plugin/test_stock_fallback.py), and lets an unannotated variable be bound again to an array of another dtype
  (tests/plugin/test_rebinding.py), which mypy allows for no variable and array code does everywhere.
- `stock_operator`, `stock_unary`: the original declaration of an operator of ndarray, bound to its receiver.
  (tests/plugin/test_stock_fallback.py)
- `stop`: the one exception that mypy takes for an error in the configuration. (tests/plugin/test_options.py)
- `module_name`, `is_enabled`, `expression_type`, `widen_variable`: the state of the checker behind the interface.
"""

import re
from collections.abc import Callable
from typing import Final, NoReturn

from mypy.binder import CurrentType
from mypy.checker import TypeChecker
from mypy.errorcodes import ASSIGNMENT, ErrorCode
from mypy.errors import CompileError, ErrorInfo, Errors, ErrorWatcher
from mypy.literals import literal_hash
from mypy.nodes import GDEF, LDEF, Context, Expression, MypyFile, NameExpr, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import FunctionLike, Instance, Overloaded, Type, get_proper_type

from promo_mypy.plugin import names

# `Tensor[float32, Any]` and `Tensor[float32, Rank[Any, Known, ...]]`, qualified or not.
_RANK_ARGUMENT: Final = re.compile(r"(\bTensor\[(?:[^\[\],]|\[[^\[\]]*\])*), (?:Any|(?:[\w.]+\.)?Rank\[[^\[\]]*\])\]")

#: Called with an error of code `assignment` and the checker of its file; True keeps the error from being recorded.
Rebind = Callable[[TypeChecker, ErrorInfo], bool]


def checker(api: CheckerPluginInterface) -> TypeChecker:
    """The type checker behind the plugin interface; it has no other implementation."""
    assert isinstance(api, TypeChecker)
    return api


def module_name(api: CheckerPluginInterface) -> str:
    """The full name of the module that is being checked."""
    return checker(api).tree.fullname


def is_enabled(api: CheckerPluginInterface, code: ErrorCode) -> bool:
    """Whether mypy would show an error of that code in the file that is being checked."""
    return checker(api).errors.is_error_code_enabled(code)


def report(api: CheckerPluginInterface, message: str, context: Context, code: ErrorCode) -> None:
    """Report past every watcher that would capture or discard the error, once for one expression and code.

    mypy asks both sides of a comparison that the left one does not accept; the second answer says nothing new.
    """
    errors = checker(api).errors
    place = (context.line, context.column, context.end_line, context.end_column)
    for known in errors.error_info_map.get(errors.file, ()):
        if known.code is code and (known.line, known.column, known.end_line, known.end_column) == place:
            return
    watchers = errors._watchers
    errors._watchers = []
    try:
        api.fail(message, context, code=code)
    finally:
        errors._watchers = watchers


def stop(message: str) -> NoReturn:
    """End the run with one error; an exception of any other kind would be shown as a crash of the plugin."""
    raise CompileError([message], use_stdout=True)


class Watch:
    """The watcher of one run of mypy, put in place by the first hook that needs it."""

    def __init__(self, rebind: Rebind) -> None:
        self._rebind = rebind
        self._checker: TypeChecker | None = None

    def install(self, errors: Errors) -> None:
        """Put the watcher at the bottom of the stack, below everything that mypy captures for itself."""
        watchers = errors._watchers
        if not watchers or watchers[0]._filter != self._filter:
            watchers.insert(0, ErrorWatcher(errors, filter_errors=self._filter))

    def follow(self, api: CheckerPluginInterface) -> None:
        """Remember whose errors come next, and make sure that they are seen."""
        self._checker = checker(api)
        self.install(self._checker.errors)

    def _filter(self, file: str, info: ErrorInfo) -> bool:
        if "Tensor[" in info.message:
            info.message = _RANK_ARGUMENT.sub(r"\1]", info.message)
        if names.STOCK_PREFIX in info.message:
            info.message = info.message.replace(names.STOCK_PREFIX, "")
        current = self._checker
        if info.code is not ASSIGNMENT or current is None or current.path != file:
            return False
        return self._rebind(current, info)


def expression_type(current: TypeChecker, expression: Expression) -> Type | None:
    """The type that mypy has found for an expression, without checking it again; None if it has none yet."""
    return current.lookup_type_or_none(expression)


def tree(current: TypeChecker) -> MypyFile:
    """The file that is being checked."""
    return current.tree


def can_widen(current: TypeChecker, name: NameExpr) -> bool:
    """Whether `name` is a variable without annotation that belongs to the scope being checked."""
    if not isinstance(name.node, Var) or not name.node.is_inferred or name.node.type is None:
        return False
    return name.kind == LDEF or (name.kind == GDEF and current.scope.top_level_function() is None)


def variable_type(name: NameExpr) -> Type | None:
    """The type of the variable behind a name, before narrowing."""
    return name.node.type if isinstance(name.node, Var) else None


def widen_variable(current: TypeChecker, name: NameExpr, variable: Type, value: Type) -> None:
    """Give a variable a wider type and narrow it to `value` from here on, as `--allow-redefinition` does.

    Where the variable was bound before, it is narrowed to the type that it had: mypy joins the two where the paths
    meet, and checks a loop again until that join is stable.
    """
    key = literal_hash(name)
    assert isinstance(name.node, Var) and name.node.type is not None and key is not None
    binder, before = current.binder, name.node.type
    declared_in = current.var_decl_frames.get(name.node, set())
    outer = [frame for frame in binder.frames if frame.id in declared_in]
    if outer and binder._get(key) is None:
        outer[-1].types[key] = CurrentType(before, True)
    current.set_inferred_type(name.node, name, variable)
    binder.put(name, value)
    binder.declarations[key] = variable


def stock_operator(api: CheckerPluginInterface, array: Instance, name: str, context: Context) -> FunctionLike | None:
    """The overloads that NumPy's stubs give that binary operator, bound to `array`; None if they are not there."""
    found = get_proper_type(checker(api).expr_checker.lookup_operator(names.STOCK_PREFIX + name, array, context))
    if not isinstance(found, FunctionLike):
        return None
    # mypy words an error about an operand by the name of the method: `"__add__" of "ndarray"`.
    items = [item.copy_modified(name=f"{name} of {item.name.partition(' of ')[2]}") for item in found.items if item.name]
    return Overloaded(items) if len(items) > 1 else items[0]


def stock_unary(api: CheckerPluginInterface, array: Instance, name: str, context: Context) -> FunctionLike | None:
    """The signature of that unary operator in NumPy's stubs; reports what mypy has to say about `array`."""
    if names.STOCK_PREFIX + name not in array.type.names:
        return None
    expressions = checker(api).expr_checker
    _, method = expressions.check_method_call_by_name(names.STOCK_PREFIX + name, array, [], [], context)
    found = get_proper_type(method)
    return found if isinstance(found, FunctionLike) else None
