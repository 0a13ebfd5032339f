"""Find lengths of axes, `x.shape[0]`, in a file: the definitions that bind names to them, and the operands."""

from collections.abc import Iterator

from mypy.nodes import (
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    SliceExpr,
    UnaryExpr,
)

from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.syntax_trees import nodes


def length_definitions(tree: MypyFile) -> Iterator[Definition]:
    """The definitions of a file that may bind a name to a length, in the order of the text."""
    for site in definitions(tree).statements:
        for definition in site.definitions:
            is_followed = definition.whole_value is not None or is_item(definition)
            if is_followed and isinstance(definition.target, NameExpr | MemberExpr):
                yield definition


def is_item(definition: Definition) -> bool:
    """Whether a name is bound to one item of a value: n in `m, n = x.shape` and in `for n in x.shape`."""
    if definition.way is Way.ELEMENT:
        return not definition.path
    return definition.way is Way.VALUE and len(definition.path) == 1 and isinstance(definition.path[0], int)


def bound_shape(definition: Definition) -> MemberExpr | None:
    """The `x.shape` in `h, w = x.shape[:2]` and `n = x.shape[0]`."""
    value = definition.value
    if value is None or not is_item(definition):
        return _indexed_shape(value)
    while isinstance(value, IndexExpr) and isinstance(value.index, SliceExpr):
        value = value.base
    return value if isinstance(value, MemberExpr) and value.name == "shape" else None


def _indexed_shape(value: Expression | None) -> MemberExpr | None:
    """The `x.shape` in `x.shape[0]` and `x.shape[-1]`."""
    if not isinstance(value, IndexExpr) or not isinstance(value.base, MemberExpr) or value.base.name != "shape":
        return None
    return value.base if isinstance(value.index, IntExpr | NameExpr | UnaryExpr) else None


def shapes_in_operands(tree: MypyFile) -> Iterator[MemberExpr]:
    """The `x.shape` of each length in an operand whose other operand is not a length: x.shape in `x.shape[0] * y`."""
    for node in nodes(tree.defs):
        if isinstance(node, OpExpr):
            for operand, other in ((node.left, node.right), (node.right, node.left)):
                if _is_of_lengths(operand) and not _is_of_lengths(other):
                    yield from filter(None, map(_indexed_shape, _expressions(operand)))


def _is_of_lengths(expression: Expression) -> bool:
    return all(isinstance(part, IntExpr | FloatExpr) or _indexed_shape(part) for part in _expressions(expression))


def _expressions(expression: Expression) -> Iterator[Expression]:
    """The operands of the operators in an expression, or the expression itself."""
    match expression:
        case OpExpr():
            yield from _expressions(expression.left)
            yield from _expressions(expression.right)
        case UnaryExpr():
            yield from _expressions(expression.expr)
        case _:
            yield expression
