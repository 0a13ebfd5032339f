"""Prepare the copy of a function that mypy checks for one value of its type variables: outside its public surface.

mypy binds the names of decorated functions in a copy to new variables, so that nobody finds their definitions.
(tests/plugin/inferred/test_type_variables.py)
"""

from collections.abc import Mapping

from mypy.nodes import GDEF, Decorator, MypyFile, RefExpr, Var
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.mypy_api.type_checker import checker
from promo_mypy.plugin.trees.syntax_trees import checked_last, nodes


def bind_decorated(api: CheckerPluginInterface) -> bool:
    """Bind the names in the copy that mypy begins to check to the decorated functions again.

    Return whether mypy begins to check a copy.
    """
    current = checker(api)
    function = current.scope.current_function()
    copy = checked_last(function) if function is not None else None
    if copy is None or copy is function:
        return False
    inside = list(nodes(copy))
    own = {each.var: each for each in inside if isinstance(each, Decorator)}
    for node in inside:
        if isinstance(node, RefExpr) and isinstance(node.node, Var):
            node.node = own.get(node.node) or _of_module(node, current.modules) or node.node
    return True


def _of_module(reference: RefExpr, modules: Mapping[str, MypyFile]) -> Decorator | None:
    module, _, name = reference.fullname.rpartition(".")
    if reference.kind != GDEF or module not in modules:
        return None
    symbol = modules[module].names.get(name)
    return symbol.node if symbol is not None and isinstance(symbol.node, Decorator) else None
