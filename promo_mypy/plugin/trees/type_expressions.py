"""Find the subscriptions around a name in a type expression: `X = Float32[Array, "n"]`, `cast(Float[Array, ""], x)`.

Before mypy analyses a type that is written as an expression, it replaces `Annotated[T, ...]` by `T`, and calls no hook
for the rest. It analyses only the names in `T`, but the statement still has the whole expression.
"""

from collections.abc import Sequence

from mypy.nodes import (
    AssertStmt,
    AssignmentExpr,
    AssignmentStmt,
    AwaitExpr,
    CallExpr,
    ClassDef,
    ComparisonExpr,
    ConditionalExpr,
    Decorator,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IfStmt,
    IndexExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    OverloadedFuncDef,
    ReturnStmt,
    SetComprehension,
    SetExpr,
    StarExpr,
    Statement,
    StrExpr,
    TempNode,
    TupleExpr,
    TypeAliasStmt,
    UnaryExpr,
    WhileStmt,
    WithStmt,
    YieldExpr,
    YieldFromExpr,
)
from mypy.types import UnboundType


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


def _parts(node: Node) -> Sequence[Node]:
    """The direct parts of a statement or an expression in which types may be written."""
    match node:
        case IndexExpr():
            return [node.base, *items_of(node)]
        case OpExpr():
            return [node.left, node.right]
        case CallExpr():
            return [node.callee, *node.args]
        case AssignmentStmt() | OperatorAssignmentStmt():
            return [node.rvalue]
        case TupleExpr() | ListExpr() | SetExpr():
            return node.items
        case DictExpr():
            return [value for _, value in node.items]
        case TypeAliasStmt():
            return [node.value.expr()]
        case LambdaExpr():
            return [node.expr()]
        case ClassDef():
            return node.base_type_exprs
        case IfStmt() | WithStmt():
            return node.expr
        case ExpressionStmt() | AssertStmt() | ForStmt() | WhileStmt() | MemberExpr() | UnaryExpr() | StarExpr():
            return [node.expr]
        case AwaitExpr() | YieldFromExpr():
            return [node.expr]
        case ReturnStmt() | YieldExpr():
            return [node.expr] if node.expr is not None else []
        case AssignmentExpr():
            return [node.value]
        case ComparisonExpr():
            return node.operands
        case ConditionalExpr():
            return [node.if_expr, node.cond, node.else_expr]
        case ListComprehension() | SetComprehension():
            return [node.generator]
        case GeneratorExpr():
            return [node.left_expr, *node.sequences, *(item for items in node.condlists for item in items)]
        case DictionaryComprehension():
            return [part for part in (node.key, node.value, *node.sequences) if part is not None]
        case _:
            return []
