"""Find the length of a shape that the code takes from an array: `h.shape`, `h.size()`, `(*h.shape[:-1], 3)`."""

from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, get_proper_type

from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type, folded, tree
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types.array_ranks import rank_of, rank_of_shape
from promo_mypy.plugin.types.array_types import array_row, as_array
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts

_DEEPEST: Final = 8


def rank_of_sizes(expression: Expression, api: CheckerPluginInterface, depth: int = 0) -> RankFacts | None:
    """What is known of the length of a shape; None if the expression takes no shape from an array."""
    if depth > _DEEPEST:
        return None
    match expression:
        case MemberExpr(name="shape", expr=array) | CallExpr(callee=MemberExpr(name="size", expr=array), args=[]):
            return _rank_of_array(array, api)
        case CallExpr(callee=RefExpr(fullname="builtins.tuple" | "builtins.list"), args=[given]):
            return rank_of_sizes(given, api, depth + 1)
        case IndexExpr(base=base, index=SliceExpr() as part):
            return _sliced(rank_of_sizes(base, api, depth + 1), part, api)
        case NameExpr(node=Var() as variable):
            values = definitions(tree(api)).values(variable)
            return rank_of_sizes(values[0], api, depth + 1) if values is not None and len(values) == 1 else None
        case TupleExpr(items=items) | ListExpr(items=items) if any(isinstance(item, StarExpr) for item in items):
            inner = [rank_of_sizes(item.expr, api, depth + 1) for item in items if isinstance(item, StarExpr)]
            return _sum(inner, len(items) - len(inner))
        case OpExpr(op="+", left=left, right=right):
            parts = [_part(left, api, depth), _part(right, api, depth)]
            return _sum(parts, 0)
        case _:
            return None


def _part(expression: Expression, api: CheckerPluginInterface, depth: int) -> RankFacts | None:
    """A part of a sum of shapes, which may be written out."""
    if isinstance(expression, TupleExpr | ListExpr) and not any(
        isinstance(each, StarExpr) for each in expression.items
    ):
        return RankFacts.of(len(expression.items))
    return rank_of_sizes(expression, api, depth + 1)


def _rank_of_array(array: Expression, api: CheckerPluginInterface) -> RankFacts | None:
    typ = get_proper_type(expression_type(checker(api), array))
    row = array_row(typ) if isinstance(typ, Instance) else None
    if row is None or not isinstance(typ, Instance):
        return None
    return rank_of_shape(typ) if row.library is Library.NUMPY else rank_of(as_array(typ, row.array))


def _sliced(rank: RankFacts | None, part: SliceExpr, api: CheckerPluginInterface) -> RankFacts | None:
    if rank is None:
        return None
    ends = [None if end is None else folded(api, end) for end in (part.begin_index, part.end_index)]
    written = [end for end in (part.begin_index, part.end_index) if end is not None]
    if rank.exact is None or part.stride is not None or sum(isinstance(end, int) for end in ends) != len(written):
        return UNKNOWN_RANK
    begin, end = (value if isinstance(value, int) else None for value in ends)
    return RankFacts.of(len(range(rank.exact)[begin:end]))


def _sum(parts: list[RankFacts | None], more: int) -> RankFacts | None:
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return None
    exact = [part.exact for part in known if part.exact is not None]
    if len(exact) == len(known):
        return RankFacts.of(sum(exact) + more)
    return RankFacts(None, more > 0 or any(part.positive for part in known))
