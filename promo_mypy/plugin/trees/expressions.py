"""Find parts of an expression: the operands of an operator, the variable that is indexed, the items of a display."""

from collections.abc import Iterator, Sequence

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    DictExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    SetExpr,
    TupleExpr,
    UnaryExpr,
)


def operands_of(context: Context) -> list[Expression]:
    """The operands of an operator in the source, in reading order; empty for any other node."""
    match context:
        case OpExpr(left=left, right=right):
            return [left, right]
        case ComparisonExpr(operands=operands):
            return operands
        case OperatorAssignmentStmt(lvalue=target, rvalue=value):
            return [target, value]
        case UnaryExpr(expr=operand):
            return [operand]
        case _:
            return []


def items_at(iterable: Expression, path: Sequence[object]) -> Iterator[Expression]:
    """The parts of the items of a display at some positions: v and w for y in `for x, y in zip([1, 2], [v, w])`."""
    match iterable:
        case CallExpr(callee=RefExpr(fullname="builtins.enumerate"), args=[inner, *_]) if path[:1] == (1,):
            yield from items_at(inner, path[1:])
        case CallExpr(callee=RefExpr(fullname="builtins.zip"), args=inners) if path and isinstance(path[0], int):
            for inner in inners[path[0] :][:1]:
                yield from items_at(inner, path[1:])
        case ListExpr(items=items) | TupleExpr(items=items):
            parts = (written_part(item, path) for item in items)
            yield from (part for part in parts if part is not None)
        case _:
            pass


def written_part(item: Expression, path: Sequence[object]) -> Expression | None:
    """The part of a written tuple at some positions."""
    for place in path:
        if not isinstance(item, TupleExpr) or not isinstance(place, int) or place >= len(item.items):
            return None
        item = item.items[place]
    return item


def root(container: Expression) -> Expression:
    """What is indexed: x in `x[0][1]`."""
    while isinstance(container, IndexExpr):
        container = container.base
    return container


def dotted_name(expression: Expression) -> str | None:
    """`a.b.c` as it is written; None for any other expression."""
    if isinstance(expression, NameExpr):
        return expression.name
    if isinstance(expression, MemberExpr):
        base = dotted_name(expression.expr)
        return f"{base}.{expression.name}" if base is not None else None
    return None


def is_none(value: Node) -> bool:
    """Whether a node is `None`."""
    return isinstance(value, NameExpr) and value.fullname == "builtins.None"


def items_of_display(expression: Expression) -> Iterator[Expression]:
    """The items of a display, within displays in it too, or of a comprehension; any other expression itself."""
    match expression:
        case ListExpr(items=items) | SetExpr(items=items) | TupleExpr(items=items):
            for item in items:
                yield from items_of_display(item)
        case DictExpr(items=pairs):
            for _, value in pairs:
                yield from items_of_display(value)
        case ListComprehension(generator=GeneratorExpr(left_expr=item)) | DictionaryComprehension(value=item):
            yield item
        case _:
            yield expression
