"""Fill dtype and rank into declared result types (`Tensor`, `tuple[Tensor, ...]`)."""

from typing import Final

from mypy.types import (
    AnyType,
    Instance,
    Type,
    TypeOfAny,
    TypeVarType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import BY_GENERIC_CLASS, BY_LIBRARY, ArrayLibrary, Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_ranks import rank_argument, rank_of
from promo_mypy.plugin.types.array_types import argument_of, array_row, as_array, dtypes_of_argument
from promo_mypy.plugin.types.walks import opened, with_parts
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts
from promo_mypy.rules.records import record

# The classes that the plugin made generic over a dtype and that stand for a whole array.
_CARRIERS: Final = frozenset({*BY_GENERIC_CLASS, *names.GENERIC_UPDATES})


@record
class Receiver:
    """The array of a method call or an attribute. `argument` is the dtype argument of its type."""

    library: Library
    argument: Type
    rank: RankFacts = UNKNOWN_RANK

    @property
    def row(self) -> ArrayLibrary:
        """The plugin's row for the library."""
        return BY_LIBRARY[self.library]

    @property
    def dtypes(self) -> frozenset[type[dt.Shaped]] | None:
        """Every dtype that it may have; None if unknown."""
        return dtypes_of_argument(self.argument)


def receiver_of(typ: Type) -> Receiver | None:
    """The array that a type stands for: `x.at` and `x.at[i]` stand for `x`. None for ndarray: its stubs have dtypes."""
    proper = get_proper_type(typ)
    if isinstance(proper, TypeVarType):
        proper = get_proper_type(proper.upper_bound)
    if not isinstance(proper, Instance):
        return None
    if proper.type.fullname in names.GENERIC_UPDATES and proper.args:
        return Receiver(Library.JAX, proper.args[0])
    row = array_row(proper)
    if row is None or row.library is Library.NUMPY:
        return None
    array = as_array(proper, row.array)
    return Receiver(row.library, array.args[0], rank_of(array)) if array.args else None


def array_behind(typ: Type, session: Session) -> Instance | None:
    """The array that `x.at` or `x.at[i]` stands for; None for anything else."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or proper.type.fullname not in names.GENERIC_UPDATES:
        return None
    return session.symbols.instance(names.JAX_ARRAY, proper.args)


def unknown() -> AnyType:
    """The dtype argument of an array of unknown dtype."""
    return AnyType(TypeOfAny.special_form)


def argument_for(dtypes: frozenset[type[dt.Shaped]] | None, session: Session) -> Type:
    """The dtype argument for these dtypes; Any for None."""
    return argument_of(dtypes, session.symbols) if dtypes else unknown()


def declared_type(declared: Type, library: Library, session: Session, *, several: bool = False) -> Type:
    """The declared result of a function. If the library declares none: its array, or a sequence if `several`."""
    if not isinstance(get_proper_type(declared), AnyType):
        return declared
    row = BY_LIBRARY[library]
    array = session.symbols.instance(row.array)
    if array is None or not several:
        return array or declared
    return (session.symbols.instance(row.sequence, [array]) if row.sequence else None) or declared


def without_dtypes_and_ranks(declared: Type) -> Type:
    """`declared` with unknown dtype and rank in each array: the declared ones are those of another array."""
    proper = opened(declared)
    if isinstance(proper, Instance) and proper.type.fullname in (*_CARRIERS, names.NUMPY_DTYPE):
        return with_parts(declared, lambda _: AnyType(TypeOfAny.special_form))
    return with_parts(declared, without_dtypes_and_ranks)


def filled(declared: Type, argument: Type, rank: RankFacts, session: Session) -> Type:
    """`declared` with this dtype and rank in every array of unknown dtype."""
    proper = opened(declared)
    if isinstance(proper, Instance) and proper.args and proper.type.fullname in _CARRIERS:
        if not isinstance(get_proper_type(proper.args[0]), AnyType):
            return declared
        ranks = [rank_argument(rank, session.symbols)] if len(proper.args) > 1 else []
        return proper.copy_modified(args=[argument, *ranks])
    return with_parts(declared, lambda part: filled(part, argument, rank, session))
