"""Find arrays that may have an axis of length one: PyTorch's `einsum` adds along it, and then multiplies any dtypes."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, IndexExpr, IntExpr, MemberExpr, MypyFile, NameExpr, Node, SliceExpr, Var

from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.syntax_trees import nodes

_LENGTHS: Final = (
    "ones zeros empty full rand randn randint view reshape resize expand new_ones new_zeros new_empty new_full"
)
#: Functions and methods whose numbers are lengths of axes.
_TAKES_LENGTHS: Final = frozenset(_LENGTHS.split())
_ADDS_AXES: Final = frozenset({"unsqueeze", "atleast_1d", "atleast_2d", "atleast_3d"})
_KEEPS_AXES: Final = "keepdim"
#: How many names are followed, one to the next.
_DEEPEST: Final = 3


def may_have_unit_axis(expression: Expression, tree: MypyFile) -> bool:
    """Whether the text of an array, or of the names in it, has an axis of length one: `torch.ones(3, 1)`, `x[None]`."""
    return any(map(_makes_unit_axis, _followed(expression, tree, 0)))


def _followed(expression: Expression, tree: MypyFile, depth: int) -> Iterator[Node]:
    for node in nodes(expression):
        yield node
        if isinstance(node, NameExpr) and isinstance(node.node, Var) and depth < _DEEPEST:
            for value in definitions(tree).values(node.node) or ():
                yield from _followed(value, tree, depth + 1)


def _makes_unit_axis(node: Node) -> bool:
    match node:
        case CallExpr(callee=NameExpr(name=name) | MemberExpr(name=name)) if name in _ADDS_AXES:
            return True
        case CallExpr(callee=NameExpr(name=name) | MemberExpr(name=name), args=given) if name in _TAKES_LENGTHS:
            return any(isinstance(part, IntExpr) and part.value == 1 for each in given for part in nodes(each))
        case CallExpr(arg_names=keywords):
            return _KEEPS_AXES in keywords
        case IndexExpr(index=index):
            return any(_is_unit_index(each) for each in nodes(index))
        case _:
            return False


def _is_unit_index(index: Node) -> bool:
    """Whether an index adds an axis, or takes one item as an axis: `None` and `:1`."""
    match index:
        case SliceExpr(begin_index=None, end_index=IntExpr(value=1)):
            return True
        case NameExpr():
            return is_none(index)
        case _:
            return False
