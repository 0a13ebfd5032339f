"""Turn what a profile has seen into types: the dtypes are inferred, and never enforced."""

from collections.abc import Iterable

from mypy.types import AnyType, Instance, TupleType, Type, UnionType

from promo_mypy.plugin.libraries import BY_LIBRARY, Library
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.types.array_types import library_of, read, with_dtypes
from promo_mypy.plugin.types.numpy_scalars import scalar_of
from promo_mypy.plugin.types.walks import opened
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.profiles import ARRAY, SCALAR, ZERO_D, Observations, Seen
from promo_mypy.rules.ranks import AT_LEAST_ONE, UNKNOWN_RANK, RankFacts

_LIBRARIES = {library.value: library for library in Library}


def observed_type(typ: Type, found: Observations, symbols: Symbols, platform: str) -> Type | None:
    """The type with the recorded dtypes in every array of unknown dtype; None without such an array.

    Any becomes an array only if no other value was seen.
    """
    proper = opened(typ)
    if isinstance(proper, UnionType | TupleType):
        items = [_member(item, found, symbols, platform) for item in proper.items if _is_array(item)]
        if not isinstance(proper, UnionType) or not any(items):
            return None
        return UnionType.make_union([*filter(None, items), *(item for item in proper.items if not _is_array(item))])
    if isinstance(proper, AnyType):
        return _array_for_any(found, symbols, platform)
    library = library_of(proper)
    if not isinstance(proper, Instance) or library is None or not proper.args or read(proper, platform) is not None:
        return None
    return _with_dtypes(proper, [each for each in found.seen if each.library == library.value], symbols, platform)


def _member(item: Type, found: Observations, symbols: Symbols, platform: str) -> Type | None:
    """The type for an array in a union or tuple. An array that was seen with a dtype outside the rules stays."""
    typ = observed_type(item, found, symbols, platform)
    if typ is not None or not is_unknown(item, platform):
        return typ
    library = library_of(item)
    return item if any(_LIBRARIES.get(each.library) is library for each in found.seen) else None


def is_unknown(typ: Type, platform: str) -> bool:
    """Whether a type is Any, or an array of unknown dtype, also in a union."""
    proper = opened(typ)
    if isinstance(proper, UnionType):
        return any(is_unknown(item, platform) for item in proper.items)
    return isinstance(proper, AnyType) or (library_of(proper) is not None and read(proper, platform) is None)


def _is_array(typ: Type) -> bool:
    return library_of(typ) is not None


def _array_for_any(found: Observations, symbols: Symbols, platform: str) -> Type | None:
    libraries = {each.library for each in found.seen}
    library = _LIBRARIES.get(next(iter(libraries))) if len(libraries) == 1 and not found.others else None
    if library is None or library not in BY_LIBRARY:
        return None
    forms = {each.form for each in found.seen}
    if forms == {SCALAR}:
        dtypes = _dtypes(found.seen)
        return scalar_of(dtypes, symbols) if dtypes else None
    array = symbols.instance(BY_LIBRARY[library].array)
    return _with_dtypes(array, list(found.seen), symbols, platform) if array is not None and array.args else None


def _with_dtypes(array: Instance, seen: list[Seen], symbols: Symbols, platform: str) -> Type | None:
    dtypes = _dtypes(seen)
    if not dtypes:
        return None
    typ = with_dtypes(array, dtypes, _rank({each.form for each in seen}), symbols)
    return typ if read(typ, platform) is not None else None


def _rank(forms: set[str]) -> RankFacts:
    if forms == {ARRAY}:
        return AT_LEAST_ONE
    return RankFacts.of(0) if forms == {ZERO_D} else UNKNOWN_RANK


def _dtypes(seen: Iterable[Seen]) -> frozenset[type[dt.Shaped]] | None:
    """The recorded dtypes; None without any, or with one that the rules do not have."""
    pairs = [(each.weak, dt.DTYPES.get(each.dtype)) for each in seen]
    known = [dt.WEAK.get(dtype, dtype) if weak else dtype for weak, dtype in pairs if dtype is not None]
    return frozenset(known) if known and len(known) == len(pairs) else None
