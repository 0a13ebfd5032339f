"""Find and change the arrays inside a type: in a list, a tuple, a dict or any other generic class, or in a result."""

from collections.abc import Callable, Iterator

from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import BY_LIBRARY, Library
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_ranks import rank_of, without_rank
from promo_mypy.plugin.types.array_types import array_row, library_of
from promo_mypy.plugin.types.walks import Endless, members, opened, parts_of, with_parts
from promo_mypy.rules.ranks import RankFacts


def holds_array(typ: Type) -> bool:
    """Whether a value of the type is or holds an array, of known or unknown dtype."""
    return library_of(typ) is not None or any_array(typ, lambda _: True)


def holds_scalars(typ: Type) -> bool:
    """Whether a value of the type is a tuple or container with NumPy scalars in it."""
    proper = opened(typ)
    if isinstance(proper, UnionType):
        return any(map(holds_scalars, proper.items))
    if library_of(proper) is not None:
        return False
    return any(numpy_scalars.is_scalar_type(part) or holds_scalars(part) for part in parts_of(typ))


def is_array(typ: Type) -> bool:
    """Whether a value of a type is an array or `None`, not a container of arrays."""
    return all(isinstance(item, NoneType) or library_of(item) is not None for item in members(typ))


def is_written_in_place(typ: Type) -> bool:
    """Whether a value of a type is an array, or `None`, and an augmented assignment writes into it."""
    libraries = [library_of(item) for item in members(typ) if not isinstance(item, NoneType)]
    return all(library is not None and BY_LIBRARY[library].writes for library in libraries)


def any_array(typ: Type, accepts: Callable[[Instance], bool]) -> bool:
    """Whether any array in the type is accepted."""
    return any(map(accepts, _arrays(typ)))


def ranks(typ: Type) -> set[RankFacts]:
    """The known facts about the rank of each array in the type."""
    return set(map(rank_of, _arrays(typ)))


def _arrays(typ: Type) -> Iterator[Instance]:
    proper = opened(typ)
    if isinstance(proper, Instance) and array_row(proper) is not None:
        yield proper
    elif isinstance(proper, CallableType):  # what a lambda in a variable returns
        yield from _arrays(proper.ret_type)
    else:
        for part in parts_of(typ):
            yield from _arrays(part)


def without_dtypes(typ: Type) -> Type:
    """The type with an unknown dtype in every array, and with Any for every NumPy scalar in a container."""
    return _with_arrays(typ, _array_without_dtype, AnyType(TypeOfAny.special_form))


def has_lost_dtype(typ: Type) -> bool:
    """Whether this is a NumPy array whose dtype only the plugin does not know. Stock mypy has one, right or wrong."""
    array = get_proper_type(typ)
    if not isinstance(array, Instance) or library_of(array) is not Library.NUMPY:
        return False
    dtype = get_proper_type(array.args[1])
    scalar = get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) and dtype.args else None
    return isinstance(scalar, AnyType) and scalar.type_of_any == TypeOfAny.special_form


def or_anything(typ: Type) -> UnionType:
    """The union of the type and Any, for a variable that may be bound to a value of unknown type."""
    return UnionType([typ, AnyType(TypeOfAny.special_form)])


def may_be_anything(typ: Type) -> bool:
    """Whether it is Any, or a union with Any."""
    return any(isinstance(item, AnyType) for item in members(typ))


def holds_anything(typ: Type) -> bool:
    """Whether a value of the type is Any, or holds or returns Any. An array of unknown dtype does not count."""
    match opened(typ):
        case AnyType() | Endless():
            return True
        case CallableType(ret_type=returned):
            return holds_anything(returned)
        case proper:
            return library_of(proper) is None and any(map(holds_anything, parts_of(proper)))


def without_ranks(typ: Type) -> Type:
    """The type with an unknown rank in every array."""
    return _with_arrays(typ, without_rank)


def _with_arrays(typ: Type, changed: Callable[[Instance], Type], scalar: Type | None = None) -> Type:
    """The type with each array changed, and with `scalar`, if given, for each NumPy scalar in a container."""

    def part(inner: Type) -> Type:
        return _with_arrays(inner, changed, scalar)

    def item_part(item: Type) -> Type:
        return scalar if scalar and numpy_scalars.is_scalar_type(item) else part(item)

    proper = opened(typ)
    match proper:
        case UnionType():
            items = list(map(part, proper.items))
            is_same = all(one is other for one, other in zip(items, proper.items, strict=True))
            return typ if is_same else make_simplified_union(items)
        case Instance() if library_of(proper) is not None:
            return changed(proper)
        case CallableType():
            return proper.copy_modified(ret_type=part(proper.ret_type))
        case _:
            return with_parts(typ, item_part)


def _array_without_dtype(array: Instance) -> Instance:
    any_type = AnyType(TypeOfAny.special_form)
    if library_of(array) is not Library.NUMPY:
        # A subclass of an array class has no type arguments.
        is_known = any(not isinstance(get_proper_type(each), AnyType) for each in array.args)
        return array.copy_modified(args=[any_type for _ in array.args]) if is_known else array
    dtype = get_proper_type(array.args[1])
    if isinstance(dtype, Instance) and dtype.type.fullname == names.NUMPY_DTYPE:
        scalar = get_proper_type(dtype.args[0])
        if isinstance(scalar, AnyType):
            return array  # the Any that somebody has written: see `has_lost_dtype`
        if isinstance(scalar, Instance) and scalar.type.module_name == names.VALUE_MARKS:
            any_type = AnyType(TypeOfAny.explicit)  # stock mypy does not know the dtype either
        array_of_any = array.copy_modified(args=[array.args[0], dtype.copy_modified(args=[any_type])])
        return numpy_scalars.without_dtype_in_class(array_of_any)
    return array
