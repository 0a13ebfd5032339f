"""Find the subscriptions around a name in a type expression: `X = Float32[Array, "n"]`, `cast(Float[Array, ""], x)`.

Before mypy analyses a type that is written as an expression, it replaces `Annotated[T, ...]` by `T`, and calls no hook
for the rest. It analyses only the names in `T`, but the statement still has the whole expression.
"""

from collections.abc import Iterable

from mypy.nodes import (
    AssignmentStmt,
    Decorator,
    Expression,
    FuncDef,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    OverloadedFuncDef,
    Statement,
    StrExpr,
    TempNode,
    TupleExpr,
    TypeAliasStmt,
)
from mypy.types import UnboundType

from promo_mypy.plugin.trees.syntax_trees import expressions_in


def subscriptions_around(name: UnboundType, statement: Statement | None) -> list[IndexExpr]:
    """The subscriptions in a statement whose first argument contains that name, from the inside out.

    Empty if the name is not in an expression of the statement itself, but in an annotation for instance. Blocks within
    a statement have statements of their own.
    """
    if statement is None or _has_no_type_expression(statement):
        return []
    return _around(statement, (name.line, name.column)) or []


def is_written_as(name: UnboundType, expression: Expression) -> bool:
    """Whether an expression is that name, or a subscription of it."""
    reference = expression.base if isinstance(expression, IndexExpr) else expression
    return _is_at(reference, (name.line, name.column))


def items_of(subscription: IndexExpr) -> list[Expression]:
    """`[a, b]` for `X[a, b]`."""
    index = subscription.index
    return index.items if isinstance(index, TupleExpr) else [index]


def _has_no_type_expression(statement: Statement) -> bool:
    if isinstance(statement, AssignmentStmt):
        return isinstance(statement.rvalue, TempNode)
    # The default of a parameter may contain a cast, but a search for each annotation of each function costs too much.
    return isinstance(statement, FuncDef | OverloadedFuncDef | Decorator)


def _around(node: Node, position: tuple[int, int]) -> list[IndexExpr] | None:
    """The subscriptions between a node and the name at that position; None if the node does not contain the name."""
    if _is_at(node, position):
        return []
    if isinstance(node, IndexExpr):
        for first in items_of(node)[:1]:
            found = _around(first, position)
            if found is not None:
                return [*found, node]
    for child in _parts(node):
        found = _around(child, position)
        if found is not None:
            return found
    return None


def _is_at(node: Node, position: tuple[int, int]) -> bool:
    return isinstance(node, NameExpr | MemberExpr | StrExpr) and (node.line, node.column) == position


def _parts(node: Node) -> Iterable[Node]:
    """The direct parts of a statement or an expression in which types may be written, without blocks."""
    if isinstance(node, TypeAliasStmt):
        return [node.value.expr()]
    return [node.expr()] if isinstance(node, LambdaExpr) else expressions_in(node)
