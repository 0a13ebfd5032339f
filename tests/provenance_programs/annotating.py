"""The types for the places of a program: those of the recorded values, with their dtypes or without."""

from collections.abc import Callable, Iterable, Mapping
from random import Random

from tests.agreement.dialects import EXACT, Dialect
from tests.provenance_programs.recording import Record, Seen

#: Arrays and scalars of any dtype.
_PLAIN: Mapping[str, str] = {"numpy": "np.ndarray", "jax": "jax.Array", "torch": "torch.Tensor"}
_PYTHON = frozenset({"bool", "int", "float", "complex", "str"})
_NUMBERS: Mapping[str, str] = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
_OTHERS = ("Any", "Any", "object")


def true_types(record: Record, places: Iterable[str], dialect: Dialect, random: Random) -> dict[str, str]:
    """A type for each place that holds for all of its values and names their dtype, if it is one."""
    return {place: _union(record.get(place, set()), lambda seen: _exact(seen, dialect, random)) for place in places}


def plain_types(record: Record, places: Iterable[str], random: Random) -> dict[str, str]:
    """A type without a dtype for each place, as programs have them; it may be wrong."""
    return {place: _union(record.get(place, set()), lambda seen: _plain(seen, random)) for place in places}


def exact_places(record: Record, types: Mapping[str, str], dialect: Dialect) -> list[str]:
    """The places whose type names a dtype."""
    return [place for place in types if place in record and types[place] != "Any" and dtype_of(record[place], dialect)]


def dtype_of(seen: set[Seen], dialect: Dialect) -> str:
    """The one dtype of the library's arrays or scalars in a place; "" without one."""
    arrays = {each for each in seen if each.kind != "NoneType"}
    dtypes = {each.dtype for each in arrays if each.kind == dialect.library and not each.is_weak}
    kinds = {(each.kind, each.is_scalar, each.is_weak) for each in arrays}
    return dtypes.pop() if len(dtypes) == len(kinds) == 1 and dtypes <= EXACT else ""


def with_dtype(seen: set[Seen], dtype: str, dialect: Dialect, random: Random) -> str:
    """The type of a place, with another dtype."""
    changed = {each._replace(dtype=dtype) if each.dtype else each for each in seen}
    return _union(changed, lambda each: _exact(each, dialect, random))


def _union(seen: set[Seen], shown: Callable[[Seen], str]) -> str:
    arrays = {each for each in seen if each.kind != "NoneType"}
    # Places of several dtypes, or of arrays and scalars, have none: the dtypes of several places may depend on another.
    kinds = {(each.kind, each.dtype, each.is_scalar, each.is_weak) for each in arrays}
    if len(kinds) > 1 or not seen:
        return "Any"
    types = [shown(next(iter(sorted(arrays))))] if arrays else []
    return " | ".join(dict.fromkeys([*types, *["None"] * (len(arrays) < len(seen))]))


def _exact(seen: Seen, dialect: Dialect, random: Random) -> str:
    if seen.kind in _PYTHON:
        return seen.kind
    if seen.kind != dialect.library or seen.is_weak or seen.dtype not in EXACT:
        return "Any"
    if seen.is_scalar:
        return dialect.dtype(seen.dtype)
    if dialect.library == "numpy" and random.random() < 0.3:
        return f"np.ndarray[Any, np.dtype[{dialect.dtype(seen.dtype)}]]"
    return dialect.exact(seen.dtype)


def _plain(seen: Seen, random: Random) -> str:
    if seen.kind in _PYTHON:
        return seen.kind
    if seen.is_scalar:
        return _NUMBERS.get(seen.dtype[0], "float")
    if random.random() < 0.06:
        return random.choice(_OTHERS)
    array = _PLAIN.get(seen.kind, "Any")
    return random.choice([array] * 6 + (["npt.NDArray[Any]"] if array == "np.ndarray" else []))
