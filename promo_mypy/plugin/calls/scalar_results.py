"""Decide whether a function of NumPy returns a scalar or an array."""

from collections.abc import Mapping, Sequence

from mypy.types import AnyType, Instance, LiteralType, NoneType, ProperType, TupleType, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.types.array_ranks import rank_of_shape
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.plugin.types.literal_values import literal_value
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type, may_be_array
from promo_mypy.rules.functions.language.arguments import Value
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.functions.numpy.forms import ARRAY_IF_KEPT, MAKING, SCALAR_OR_ARRAY, SHAPED_LIKE
from promo_mypy.rules.functions.numpy.ufuncs import SCALAR_OF_NUMBERS


def is_scalar(row: Row, given: Sequence[Argument], receiver: Type | None) -> bool | None:
    """Whether NumPy returns a scalar; None if that depends on something unknown.

    It does for its own scalars, and for an array that is reduced along all axes. A call that names an axis is taken to
    leave other axes: otherwise there would be no reason to name it.
    """
    is_numpy = row.library == "numpy"
    if is_numpy and row.name in MAKING:
        return False
    parameters = {parameter.name: parameter for parameter in signature(row.signature).parameters}
    positions = [name for name, parameter in parameters.items() if parameter.positional][receiver is not None :]
    types = _by_parameter(given, positions)
    of_kept = _is_scalar_of_kept(types.get("keepdims"))
    if is_numpy and row.name in ARRAY_IF_KEPT and of_kept is not True:
        return of_kept
    shaping = types.get(SHAPED_LIKE.get(row.name, "")) if is_numpy else None
    if shaping is not None and _has_axes(get_proper_type(shaping)) is not False:
        return False if _has_dimensions(shaping) else None
    values = [*_arrays(given, positions), *([] if receiver is None else [receiver])]
    kinds = {_has_axes(get_proper_type(typ)) for typ in values}
    if True not in kinds:
        is_scalar_of_numbers = is_numpy and row.name in SCALAR_OF_NUMBERS
        return True if kinds == {False} and (is_scalar_of_numbers or any(map(is_scalar_type, values))) else None
    if is_numpy and row.name in SCALAR_OR_ARRAY:
        return None
    if "keepdims" not in parameters or "axis" not in parameters:
        return False
    if of_kept is not True:
        return of_kept
    axis = types.get("axis")
    if axis is None:
        return parameters["axis"].default == Value(None)
    return _is_along_all(axis)


def _by_parameter(given: Sequence[Argument], positions: Sequence[str]) -> Mapping[str, Type]:
    """The types of the arguments by the names of their parameters."""
    return {
        argument.keyword or positions[place]: argument.type
        for place, argument in enumerate(given)
        if argument.keyword is not None or place < len(positions)
    }


def _arrays(given: Sequence[Argument], positions: Sequence[str]) -> Sequence[Type]:
    """The types of the arguments that are given by position, apart from a dtype."""
    dtype = positions.index("dtype") if "dtype" in positions else None
    return [a.type for place, a in enumerate(given) if a.keyword is None and place != dtype]


def _is_scalar_of_kept(keepdims: Type | None) -> bool | None:
    """Whether a reduction along all axes is a scalar by this argument; None if that is unknown."""
    kept = False if keepdims is None else literal_value(keepdims)
    return not kept if isinstance(kept, bool) else None


def _is_along_all(axis: Type) -> bool | None:
    """Whether an array is reduced along all axes; None if that is unknown."""
    proper = get_proper_type(axis)
    if isinstance(proper, NoneType):
        return True
    return None if isinstance(proper, AnyType | UnionType) else False


def _has_axes(typ: ProperType) -> bool | None:
    """True for arrays and values that become arrays, False for numbers; None if unknown."""
    match typ:
        case NoneType() | LiteralType():
            return False
        case TupleType():
            return True
        case Instance() if is_number(typ):
            return None if may_be_array(typ) else False
        case Instance() if library_of(typ) is not None or typ.type.fullname in names.SEQUENCES:
            return True
        case _:
            return None


def _has_dimensions(typ: Type) -> bool:
    """Whether a value certainly has a dimension: a sequence, or an array of such a rank."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.type.fullname in names.NUMPY_ARRAYS:
        return rank_of_shape(proper).positive
    return _has_axes(proper) is True
