"""Prepare the copy of a function that mypy checks for one value of its type variables: outside its public surface.

A copy differs in two ways from a tree that mypy has read. The name of a decorated function refers to a new variable,
not to the function. The argument of `cast` and `reveal_type` is there twice: mypy checks one, a walk finds the other.
(tests/plugin/inferred/test_type_variables.py)
"""

from collections.abc import Mapping

from mypy.nodes import GDEF, AssertTypeExpr, CallExpr, CastExpr, Decorator, FuncItem, MypyFile, RefExpr, RevealExpr, Var
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.mypy_api.checker.type_checker import checker, current_function
from promo_mypy.plugin.trees.syntax_trees import nodes


def restore_copy(api: CheckerPluginInterface) -> bool:
    """Remove these differences from a copy that mypy begins to check. Return whether it begins to check one."""
    current, copy = checker(api), current_function(api)
    if copy is None or copy is current.scope.current_function():
        return False
    for call in list(nodes(copy)):
        if isinstance(call, CallExpr):
            _keep_checked_argument(call)
    _bind_decorated(copy, current.modules)
    return True


def _keep_checked_argument(call: CallExpr) -> None:
    match call.analyzed:
        case CastExpr(expr=checked):
            call.args[-1] = checked
        case RevealExpr(expr=checked) | AssertTypeExpr(expr=checked) if checked is not None:
            call.args[0] = checked


def _bind_decorated(copy: FuncItem, modules: Mapping[str, MypyFile]) -> None:
    inside = list(nodes(copy))
    own = {each.var: each for each in inside if isinstance(each, Decorator)}
    for node in inside:
        if isinstance(node, RefExpr) and isinstance(node.node, Var):
            node.node = own.get(node.node) or _of_module(node, modules) or node.node


def _of_module(reference: RefExpr, modules: Mapping[str, MypyFile]) -> Decorator | None:
    module, _, name = reference.fullname.rpartition(".")
    if reference.kind != GDEF or module not in modules:
        return None
    symbol = modules[module].names.get(name)
    return symbol.node if symbol is not None and isinstance(symbol.node, Decorator) else None
