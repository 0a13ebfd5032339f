"""Read and change the ranks in array types: the shape of NumPy's arrays, and the second type argument of others."""

from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnpackType, get_proper_type, get_proper_types

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.rules.ranks import POSITIONS, UNKNOWN_RANK, RankFacts


def rank_of_shape(array: Instance) -> RankFacts:
    """The rank by the shape in an ndarray's type; unknown for a shape of any length."""
    shape = get_proper_type(array.args[0])
    if not isinstance(shape, TupleType) or any(isinstance(item, UnpackType) for item in shape.items):
        return UNKNOWN_RANK
    return RankFacts.of(len(shape.items))


def has_known_rank(typ: Type) -> bool:
    """Whether this is a NumPy array with a shape of known length."""
    array = get_proper_type(typ)
    if not isinstance(array, Instance) or array.type.fullname not in names.NUMPY_ARRAYS:
        return False
    return isinstance(get_proper_type(array.args[0]), TupleType)


def fits_several_overloads(typ: Type) -> bool:
    """Whether this is a NumPy array of any shape that mypy lets fit several overloads, so that it infers Any.

    It does so for an Any that code or a stub writes in a type, and not for that in NumPy's alias `NDArray`.
    """
    array = get_proper_type(typ)
    if not isinstance(array, Instance) or array.type.fullname not in names.NUMPY_ARRAYS:
        return False
    shape = get_proper_type(array.args[0])
    lengths = get_proper_types(shape.args) if isinstance(shape, Instance) else [shape]
    return any(isinstance(each, AnyType) and each.type_of_any != TypeOfAny.special_form for each in lengths)


def rank_of(array: Instance) -> RankFacts:
    """The rank in the second type argument of an array; unknown for classes without one."""
    if len(array.args) < 2:
        return UNKNOWN_RANK
    rank = get_proper_type(array.args[1])
    if not isinstance(rank, Instance) or rank.type.fullname != names.RANK:
        return UNKNOWN_RANK
    return RankFacts.from_positions(tuple([isinstance(get_proper_type(fact), Instance) for fact in rank.args]))


def rank_argument(rank: RankFacts, symbols: Symbols) -> Type:
    """The second type argument of a tensor of that rank."""
    any_type = AnyType(TypeOfAny.special_form)
    if rank == UNKNOWN_RANK:  # most of them
        return any_type
    known = symbols.instance(names.KNOWN)
    if known is None:
        return any_type
    facts: list[Type] = [known if holds else any_type for holds in rank.positions()]
    assert len(facts) == POSITIONS
    return symbols.instance(names.RANK, facts) or any_type


def without_rank(typ: Type) -> Type:
    """The array type with an unknown rank; any other type as it is."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or rank_of(proper) == UNKNOWN_RANK:
        return typ
    return proper.copy_modified(args=[proper.args[0], AnyType(TypeOfAny.special_form)])
