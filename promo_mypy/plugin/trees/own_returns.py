"""Find the return statements of a function. mypy's own search finds those of functions in it, too."""

from mypy.nodes import FuncItem, ReturnStmt

from promo_mypy.plugin.trees.syntax_trees import placed_statements


def own_returns(function: FuncItem) -> list[ReturnStmt]:
    """The return statements of a function, without those of functions in it."""
    placed = placed_statements(function.body)
    return [node for node, inner, _ in placed if isinstance(node, ReturnStmt) and inner is None]
