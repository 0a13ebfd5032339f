"""A name in a type expression to the subscriptions around it: `X = Float32[Array, "n"]`, `cast(Float[Array, ""], x)`.

Before mypy analyses a type that is written as an expression it replaces `Annotated[T, ...]` by `T`, and no plugin hears
of the rest. What it does analyse are the names in `T`; the statement still has the whole expression.
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
    """The subscriptions in a statement whose first argument holds that name, from the inside out.

    Empty if the name was not read from an expression of the statement itself (blocks within it have statements of their
    own), but from an annotation for instance.
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
    # A parameter's default may hold a cast. It is not worth a search for each annotation of each function.
    return isinstance(statement, FuncDef | OverloadedFuncDef | Decorator)


def _around(node: Node, position: tuple[int, int]) -> list[IndexExpr] | None:
    """The subscriptions between a node and the name at that position; None if the name is not under the node."""
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
    """The expressions that a statement or an expression consists of; a block has statements of its own."""
    if isinstance(node, TypeAliasStmt):
        return [node.value.expr()]
    return [node.expr()] if isinstance(node, LambdaExpr) else expressions_in(node)
