"""Find and replace `Promote[A, B]` in the place of a dtype, and compute what its operands promote to."""

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Final

from mypy.type_visitor import TypeQuery, TypeTranslator
from mypy.types import (
    AnyType,
    Instance,
    ProperType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import argument_of, array_row, dtypes_of_argument
from promo_mypy.plugin.types.walks import contains_itself, members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.possibilities import Outcome
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record

DTypeSet = frozenset[type[dt.Shaped]]

# Three operands of any dtype have fewer combinations.
_MOST_COMBINATIONS: Final = 10_000

#: Maps a promotion and the library of its array to the dtype argument in its place. None keeps the promotion.
Resolver = Callable[[Instance, Library], Type | None]


def mentions_promote(typ: Type) -> bool:
    """Whether there is a `Promote[...]` anywhere in a type."""
    return typ.accept(_Mention())


def has_variables(typ: Type) -> bool:
    """Whether there is a type variable anywhere in a type."""
    return typ.accept(_Variable())


def promotion_in(argument: Type) -> Instance | None:
    """The `Promote[...]` in a dtype argument, alone or in a union with Any; None for other arguments."""
    for found in members(argument):
        if isinstance(found, Instance) and found.type.fullname == names.PROMOTE:
            return found
    return None


def either(promotion: Instance) -> Type:
    """The union of Any and a promotion. mypy may compare it before the result is known: then every dtype fits."""
    return UnionType([AnyType(TypeOfAny.special_form), promotion])


def written_dtypes(argument: Type, platform: str) -> DTypeSet | None:
    """The dtypes of a dtype class, of promo-mypy or NumPy, or of a union of such classes; None for other types."""
    return dtypes_of_argument(argument) or numpy_scalars.dtypes_of_scalar(argument, platform)


def dtype_argument(dtypes: DTypeSet, library: Library, session: Session) -> Type:
    """The type argument for these dtypes in an array type of that library; Any for an empty set."""
    unknown = AnyType(TypeOfAny.special_form)
    if not dtypes:
        return unknown
    if library is Library.NUMPY:
        return numpy_scalars.scalar_of(dtypes, session.symbols) or unknown
    return argument_of(dtypes, session.symbols)


def promote(operands: Sequence[frozenset[Operand]], system: PromotionSystem) -> Outcome | None:
    """`system.promote` over every combination of one operand from each set; None if there are too many."""
    if prod(map(len, operands)) > _MOST_COMBINATIONS:
        return None
    ordered = [sorted(choices, key=lambda o: (o.name, o.form.value)) for choices in operands]
    answers = [system.promote(*combination) for combination in product(*ordered)]
    return Outcome(
        frozenset(answer for answer in answers if not isinstance(answer, Refusal)),
        tuple(answer for answer in answers if isinstance(answer, Refusal)),
    )


@record
class DtypePlace:
    """An array type and its dtype argument, which is None for a bare ndarray."""

    array: Instance
    library: Library
    argument: Type | None

    @classmethod
    def of(cls, typ: Type) -> "DtypePlace | None":
        """The place in an array type; None for a type that is not an array, or has no type arguments."""
        proper = get_proper_type(typ)
        row = array_row(proper) if isinstance(proper, Instance) else None
        if row is None or not isinstance(proper, Instance) or not proper.args:
            return None
        if row.library is not Library.NUMPY:
            return cls(proper, row.library, proper.args[0])
        dtype = get_proper_type(proper.args[1])
        if not isinstance(dtype, Instance) or dtype.type.fullname != names.NUMPY_DTYPE:
            return cls(proper, row.library, None)
        return cls(proper, row.library, dtype.args[0])

    def filled(self, argument: Type, session: Session) -> Instance:
        """The array with that dtype argument."""
        if self.library is not Library.NUMPY:
            return self.array.copy_modified(args=[argument, *self.array.args[1:]])
        dtype = session.symbols.instance(names.NUMPY_DTYPE, [argument])
        return self.array if dtype is None else self.array.copy_modified(args=[self.array.args[0], dtype])


def with_promotions(typ: Type, resolver: Resolver, session: Session) -> Type:
    """A type in which `resolver` replaces the promotions of its arrays."""
    return typ.accept(_Translator(resolver, session))


class _Mention(TypeQuery[bool]):
    def strategy(self, items: list[bool]) -> bool:
        return any(items)

    def visit_instance(self, t: Instance, /) -> bool:
        return t.type.fullname == names.PROMOTE or self.query_types(t.args)

    def visit_type_var(self, _: TypeVarType, /) -> bool:
        return False


class _Variable(TypeQuery[bool]):
    def strategy(self, items: list[bool]) -> bool:
        return any(items)

    def visit_type_var(self, _: TypeVarType, /) -> bool:
        return True


class _Translator(TypeTranslator):
    def __init__(self, resolver: Resolver, session: Session) -> None:
        super().__init__()
        self._resolver = resolver
        self._session = session

    def visit_instance(self, t: Instance, /) -> Type:
        place = DtypePlace.of(t)
        promotion = promotion_in(place.argument) if place is not None and place.argument is not None else None
        if place is None or promotion is None:
            return super().visit_instance(t)
        argument = self._resolver(promotion, place.library)
        return t if argument is None else place.filled(argument, self._session)

    def visit_type_alias_type(self, t: TypeAliasType, /) -> Type:
        if contains_itself(t) or not mentions_promote(t):
            return t
        proper: ProperType = get_proper_type(t)
        return proper.accept(self)
