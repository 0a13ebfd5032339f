"""Find the variables of other functions that a nested function reads."""

from collections.abc import Sequence

from mypy.nodes import LDEF, FuncDef, MypyFile, NameExpr, NonlocalDecl, Var

from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions
from promo_mypy.plugin.trees.syntax_trees import nodes


def captured_variables(function: FuncDef, tree: MypyFile) -> Sequence[Var] | None:
    """These variables; None if one is bound more than once, so that it may hold something else when it is read.

    None also if another value takes the place of the function itself: `f = jax.vmap(f)`.
    """
    file = definitions(tree)
    within = set(nodes(function))
    own = {
        definition.variable for site in (*file.statements, *file.expressions) if site.node in within
        for definition in site.definitions
    }  # fmt: skip
    if _is_replaced(function, file) or any(isinstance(node, NonlocalDecl) for node in within):
        return None
    read = dict.fromkeys(
        node.node for node in within if isinstance(node, NameExpr) and node.kind == LDEF and isinstance(node.node, Var)
    )
    captured = [each for each in read if each not in own and file.of_variable(each)]
    return None if any(len(file.of_variable(each)) > 1 for each in captured) else captured


def _is_replaced(function: FuncDef, file: FileDefinitions) -> bool:
    targets = (definition.target for site in file.statements for definition in site.definitions)
    return any(isinstance(target, NameExpr) and target.node is function for target in targets)
