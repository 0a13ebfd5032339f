"""Arguments that give a shape (`x.reshape(2, -1)`, `x.new_zeros((3, 4))`) to the rank they ask for."""

from collections.abc import Sequence

from mypy.nodes import ListExpr, StarExpr, TupleExpr
from mypy.types import Instance, LiteralType, TupleType, Type, UnpackType, get_proper_type

from promo_mypy.plugin.arguments import Argument
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts


def rank_from_sizes(arguments: Sequence[Argument] | None) -> RankFacts:
    """The rank that positional sizes ask for: one per dimension, or one sequence of them."""
    if not arguments:
        return UNKNOWN_RANK
    first = arguments[0]
    if isinstance(first.expression, ListExpr | TupleExpr):
        items = first.expression.items
        return UNKNOWN_RANK if any(isinstance(item, StarExpr) for item in items) else RankFacts.of(len(items))
    typ = get_proper_type(first.type)
    if isinstance(typ, TupleType):
        return UNKNOWN_RANK if any(isinstance(item, UnpackType) for item in typ.items) else RankFacts.of(len(typ.items))
    return RankFacts.of(len(arguments)) if is_int(typ) else UNKNOWN_RANK


def is_int(typ: Type) -> bool:
    """Whether this is `int`, or a literal one; not `bool`."""
    proper = get_proper_type(typ)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.int"


def is_bool(typ: Type) -> bool:
    """Whether this is `bool`, or a literal one."""
    proper = get_proper_type(typ)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.bool"
