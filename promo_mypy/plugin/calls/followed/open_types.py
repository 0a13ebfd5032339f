"""What declared types leave open about dtypes, and what the types of arguments and results tell of it."""

from mypy.nodes import Var
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Instance, TupleType, Type, UnionType, get_proper_type, has_type_vars

from promo_mypy.plugin.calls.followed.remembered_fields import remembers
from promo_mypy.plugin.containers import MUTABLE
from promo_mypy.plugin.types.array_types import may_lack_dtype
from promo_mypy.plugin.types.walks import Endless, opened


def is_unknown(typ: Type, platform: str) -> bool:
    """Whether a dtype is unknown in an array, in a member of a union, or in an item of a tuple."""
    proper = opened(typ)
    if isinstance(proper, UnionType | TupleType):
        return any(is_unknown(each, platform) for each in proper.items)
    return may_lack_dtype(proper, platform)


def tells_more(declared: Type, given: Type, platform: str) -> bool:
    """Whether an argument has a dtype that the type of its parameter leaves open, or that type is Any."""
    if has_type_vars(given) or isinstance(opened(given), AnyType | Endless):
        return False
    is_any = isinstance(get_proper_type(declared), AnyType)
    if remembers(given):
        return is_any or is_subtype(given, declared)
    return is_any or (_is_gained(declared, given, platform) and is_subtype(given, declared))


def _is_gained(declared: Type, given: Type, platform: str) -> bool:
    """Whether a type has a dtype that another one leaves open: in an item, if both are tuples."""
    wanted, typ = opened(declared), opened(given)
    if isinstance(wanted, TupleType) and isinstance(typ, TupleType) and len(wanted.items) == len(typ.items):
        return any(_is_gained(*pair, platform) for pair in zip(wanted.items, typ.items, strict=True))
    if isinstance(wanted, Instance) and isinstance(typ, Instance) and wanted.type.fullname in MUTABLE:
        is_same = wanted.type is typ.type
        return is_same and any(_is_gained(*pair, platform) for pair in zip(wanted.args, typ.args, strict=True))
    return is_unknown(declared, platform) and not is_unknown(given, platform)


def leaves_open(declared: Type, platform: str) -> bool:
    """Whether a dtype is unknown in a type, or in a field of a dataclass."""
    proper = opened(declared)
    if not isinstance(proper, Instance) or "dataclass" not in proper.type.metadata:
        return is_unknown(declared, platform)
    fields = (each.node for each in proper.type.names.values())
    return any(isinstance(each, Var) and each.type is not None and is_unknown(each.type, platform) for each in fields)
