"""Translate NumPy's scalar classes, as its stubs spell them, to dtypes, and back.

Most names are aliases: `numpy.float32` is `numpy.floating[_32Bit]`, `numpy.int_` is
`numpy.signedinteger[_32Bit | _64Bit]`. The width classes form a chain (`_32Bit` is a subclass of `_64Bit`).
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from mypy.types import AnyType, Instance, NoneType, ProperType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.types.integer_types import is_bool, is_int
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import ML_DTYPES_NAMES

DType = type[dt.Shaped]
DTypeSet = frozenset[DType]

_WIDTHS: Final[Mapping[str, Mapping[str, DType]]] = {
    names.NUMPY_SIGNED: {"_8Bit": dt.int8, "_16Bit": dt.int16, "_32Bit": dt.int32, "_64Bit": dt.int64},
    names.NUMPY_UNSIGNED: {"_8Bit": dt.uint8, "_16Bit": dt.uint16, "_32Bit": dt.uint32, "_64Bit": dt.uint64},
    names.NUMPY_FLOATING: {"_16Bit": dt.float16, "_32Bit": dt.float32, "_64Bit": dt.float64, "_128Bit": dt.float128},
    names.NUMPY_COMPLEX: {"_32Bit": dt.complex64, "_64Bit": dt.complex128, "_128Bit": dt.complex256},
}

#: Classes of one width that have a name of their own.
_NAMED_WIDTHS: Final = (names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128)

# Aliases whose width the stubs leave to the platform. `numpy.intp` and `numpy.long` are the same type to
# mypy; both are 64 bits wide on every 64-bit system but Windows, where `numpy.long` has 32. A long double is
# wider than a double, but not on Windows, nor on a Mac with Apple's processor (one with Intel's has 80 bits).
_INT_OR_LONG: Final = frozenset({"_32Bit", "_64Bit"})
_LONG_DOUBLE: Final = frozenset({"_64Bit", "_96Bit", "_128Bit"})
_PLATFORM_WIDTHS: Final[Mapping[tuple[str, frozenset[str]], DTypeSet]] = {
    (names.NUMPY_SIGNED, _INT_OR_LONG): frozenset({dt.int64}),
    (names.NUMPY_UNSIGNED, _INT_OR_LONG): frozenset({dt.uint64}),
    (names.NUMPY_FLOATING, _LONG_DOUBLE): frozenset({dt.float128}),
    (names.NUMPY_COMPLEX, _LONG_DOUBLE): frozenset({dt.complex256}),
}
_WIDTHS_ELSEWHERE: Final[Mapping[str, Mapping[tuple[str, frozenset[str]], DTypeSet]]] = {
    "win32": {
        (names.NUMPY_SIGNED, _INT_OR_LONG): frozenset({dt.int32, dt.int64}),
        (names.NUMPY_UNSIGNED, _INT_OR_LONG): frozenset({dt.uint32, dt.uint64}),
        (names.NUMPY_FLOATING, _LONG_DOUBLE): frozenset({dt.float64}),
        (names.NUMPY_COMPLEX, _LONG_DOUBLE): frozenset({dt.complex128}),
    },
    "darwin": {
        (names.NUMPY_FLOATING, _LONG_DOUBLE): frozenset({dt.float64, dt.float128}),
        (names.NUMPY_COMPLEX, _LONG_DOUBLE): frozenset({dt.complex128, dt.complex256}),
    },
}

_SIGNED: Final[DTypeSet] = frozenset({dt.int8, dt.int16, dt.int32, dt.int64})
_UNSIGNED: Final[DTypeSet] = frozenset({dt.uint8, dt.uint16, dt.uint32, dt.uint64})
_FLOATING: Final[DTypeSet] = frozenset({dt.float16, dt.float32, dt.float64, dt.float128})
_COMPLEX: Final[DTypeSet] = frozenset({dt.complex64, dt.complex128, dt.complex256})

#: The attribute of a type that marks it. No program can write the name.
_MAY_BE_ARRAY: Final = "may be an array"

#: NumPy's abstract classes and the dtypes that they stand for (ml_dtypes' types belong to none of them).
CATEGORIES: Final[Mapping[str, DTypeSet]] = {
    names.NUMPY_SIGNED: _SIGNED,
    names.NUMPY_UNSIGNED: _UNSIGNED,
    names.NUMPY_FLOATING: _FLOATING,
    names.NUMPY_COMPLEX: _COMPLEX,
    names.NUMPY_INTEGER: _SIGNED | _UNSIGNED,
    names.NUMPY_INEXACT: _FLOATING | _COMPLEX,
    names.NUMPY_NUMBER: _SIGNED | _UNSIGNED | _FLOATING | _COMPLEX,
}
_LARGEST_FIRST: Final = sorted(CATEGORIES.items(), key=lambda category: -len(category[1]))

#: The classes that the scalar types are, some of them under other names.
CLASSES: Final = (
    names.NUMPY_BOOL,
    *_WIDTHS,
    *_NAMED_WIDTHS,
    *(f"{names.ML_DTYPES}.{name}" for name in ML_DTYPES_NAMES),
)

#: The end of the name of a marker class (`value_marks`), and its dtypes.
MARKS: Final[Mapping[str, DTypeSet]] = {
    **{name: frozenset({dt.DTYPES[name.lower()]}) for name in names.MARKED_DTYPES},
    "Signed": _SIGNED,
    "Unsigned": _UNSIGNED,
    "Floating": _FLOATING,
    "Complex": _COMPLEX,
    "Integer": CATEGORIES[names.NUMPY_INTEGER],
    "Inexact": CATEGORIES[names.NUMPY_INEXACT],
    "Number": CATEGORIES[names.NUMPY_NUMBER],
}

_EXACT: Final[Mapping[str, DTypeSet]] = {
    names.NUMPY_BOOL: frozenset({dt.bool_}),
    names.NUMPY_FLOAT64: frozenset({dt.float64}),
    names.NUMPY_COMPLEX128: frozenset({dt.complex128}),
    **{names.INFERRED + name: dtypes for name, dtypes in MARKS.items()},
}

# dtype -> class, width argument
_SPELLINGS: Final[Mapping[DType, tuple[str, str | None]]] = {
    dt.bool_: (names.NUMPY_BOOL, None),
    **{dtype: (cls, width) for cls, widths in _WIDTHS.items() for width, dtype in widths.items()},
    dt.float64: (names.NUMPY_FLOAT64, None),
    dt.complex128: (names.NUMPY_COMPLEX128, None),
}
_LONG: Final[Mapping[DType, str]] = {dt.float128: names.NUMPY_FLOATING, dt.complex256: names.NUMPY_COMPLEX}
_LONG_WIDTHS: Final = ("_64Bit", "_96Bit", "_128Bit")


def holds_ints_or_bools(typ: Type) -> bool:
    """Whether this is a Python int or bool, or a numpy.bool, or an array of numpy.bool."""
    return _is_numpy_bool(scalar_of_array(typ) or typ) or is_int(typ) or is_bool(typ)


def _is_numpy_bool(scalar: Type | None) -> bool:
    proper = get_proper_type(scalar)
    return isinstance(proper, Instance) and proper.type.fullname == names.NUMPY_BOOL


def is_scalar_type(typ: Type | None) -> bool:
    """Whether a type is that of a numeric or boolean NumPy scalar."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and is_scalar(proper)


def scalar_of_array(typ: Type | None) -> ProperType | None:
    """The scalar class of a NumPy array; None for any other type."""
    array = get_proper_type(typ)
    if not isinstance(array, Instance) or array.type.fullname not in names.NUMPY_ARRAYS:
        return None
    dtype = get_proper_type(array.args[1])
    return get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) and dtype.args else None


def is_scalar(instance: Instance) -> bool:
    """Whether this is an instance of a numeric or boolean NumPy scalar class."""
    name = instance.type.fullname
    return name in CATEGORIES or name in _EXACT or _ml_dtype(name) is not None


def is_of_ml_dtypes(typ: Type) -> bool:
    """Whether this is a scalar of a dtype that NumPy itself does not have."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and _ml_dtype(proper.type.fullname) is not None


def without_dtype_in_class(array: Instance, dtypes: DTypeSet = frozenset()) -> Instance:
    """The array as an `ArrayOrScalar` if it has the marker class of other dtypes than these."""
    name = array.type.fullname
    if not name.startswith(names.ARRAY_OR) or name == names.ARRAY_OR_SCALAR:
        return array
    if MARKS[name.removeprefix(names.ARRAY_OR)] == dtypes:
        return array
    return Instance(array.type.mro[1], array.args, array.line, array.column)


def is_extension(typ: Type) -> bool:
    """Whether this is a scalar of ml_dtypes, or an array of such a dtype."""
    scalar = scalar_of_array(typ) or get_proper_type(typ)
    return isinstance(scalar, Instance) and _ml_dtype(scalar.type.fullname) is not None


def possibly_array(scalar: Type) -> Type:
    """The scalar type, marked as possibly an array: the stubs declare a scalar for `np.float64(x)` of an unknown x."""
    proper = get_proper_type(scalar)
    if not isinstance(proper, Instance) or not is_scalar(proper):
        return scalar
    return proper.copy_with_extra_attr(_MAY_BE_ARRAY, NoneType())


def may_be_array(scalar: Instance) -> bool:
    """Whether this scalar type is marked as possibly an array."""
    return scalar.extra_attrs is not None and _MAY_BE_ARRAY in scalar.extra_attrs.attrs


def dtypes_of_scalar(typ: Type, platform: str) -> DTypeSet | None:
    """The dtypes that a NumPy scalar type stands for; None if unknown or outside the rules."""
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        parts = [dtypes_of_scalar(item, platform) for item in proper.items]
        known = [part for part in parts if part is not None]
        return frozenset().union(*known) if len(known) == len(parts) else None
    if not isinstance(proper, Instance):
        return None
    name = proper.type.fullname
    if name in _WIDTHS:
        return _by_width(name, get_proper_type(proper.args[0]), platform)
    return _EXACT.get(name) or CATEGORIES.get(name) or _ml_dtype(name)


def dtypes_under(cls: DType) -> DTypeSet:
    """The dtypes of a category as NumPy's abstract classes group them (long double included); an exact dtype alone."""
    if cls.exact:
        return frozenset({cls})
    return frozenset(dtype for dtype in CATEGORIES[names.NUMPY_NUMBER] | {dt.bool_} if issubclass(dtype, cls))


def classes_of(dtypes: DTypeSet) -> list[str]:
    """The classes of scalars of one kind that may have one of several dtypes. One dtype has no such class."""
    kinds = [cls for cls in _WIDTHS if CATEGORIES[cls] <= dtypes]
    return kinds + [cls for cls in _NAMED_WIDTHS if kinds and _EXACT[cls] <= dtypes]


def scalar_of(dtypes: DTypeSet, symbols: Symbols) -> Type | None:
    """The NumPy scalar type for exactly these dtypes: a class, a category, or a union of both.

    NumPy has no weak arrays. Under a system with weak dtypes, a weak result is an array of the same width.
    """
    categories, alone = _spelling(dtypes)
    spelled = [_open(name, symbols) for name in categories] + [_spell(dtype, symbols) for dtype in alone]
    found = [typ for typ in spelled if typ is not None]
    return UnionType.make_union(found) if found and len(found) == len(spelled) else None


@cache
def _spelling(dtypes: DTypeSet) -> tuple[tuple[str, ...], tuple[DType, ...]]:
    """The abstract classes that have only these dtypes, and the remaining dtypes."""
    categories: list[str] = []
    left = {dtype.strong for dtype in dtypes}
    for name, members in _LARGEST_FIRST:
        if members <= left:
            categories.append(name)
            left -= members
    return tuple(categories), tuple(sorted(left, key=lambda dtype: (dtype.kind, dtype.bits)))


def _open(name: str, symbols: Symbols) -> Type | None:
    """An abstract class of any width. (The stubs' default for the second width of complex is the first one.)"""
    any_type = AnyType(TypeOfAny.special_form)
    return symbols.instance(name, [any_type, any_type] if name == names.NUMPY_COMPLEX else [])


def _by_width(name: str, width: ProperType, platform: str) -> DTypeSet | None:
    if isinstance(width, AnyType):
        return CATEGORIES[name]
    if isinstance(width, Instance):
        if width.type.fullname.rpartition(".")[0] != names.NUMPY_BITS:
            return None
        if width.type.name == "NBitBase":
            return CATEGORIES[name]
        dtype = _WIDTHS[name].get(width.type.name)
        return frozenset({dtype}) if dtype is not None else None
    if isinstance(width, UnionType):
        items = [get_proper_type(item) for item in width.items]
        key = (name, frozenset(item.type.name for item in items if isinstance(item, Instance)))
        return _WIDTHS_ELSEWHERE.get(platform, {}).get(key) or _PLATFORM_WIDTHS.get(key)
    return None


def _spell(dtype: DType, symbols: Symbols) -> Type | None:
    if dtype in _LONG:
        widths = [symbols.instance(f"{names.NUMPY_BITS}.{width}") for width in _LONG_WIDTHS]
        union = UnionType.make_union([width for width in widths if width is not None])
        return symbols.instance(_LONG[dtype], _repeated(_LONG[dtype], union))
    if dtype not in _SPELLINGS:
        return symbols.instance(f"{names.ML_DTYPES}.{dtype.name}")
    cls, width = _SPELLINGS[dtype]
    if width is None:
        return symbols.instance(cls)
    bits = symbols.instance(f"{names.NUMPY_BITS}.{width}")
    return symbols.instance(cls, _repeated(cls, bits)) if bits is not None else None


def _repeated(cls: str, width: Type) -> list[Type]:
    # complexfloating has one width for the real and one for the imaginary part.
    return [width, width] if cls == names.NUMPY_COMPLEX else [width]


@cache
def _ml_dtype(fullname: str) -> DTypeSet | None:
    module, _, name = fullname.rpartition(".")
    if module != names.ML_DTYPES or name not in dt.DTYPES:
        return None
    return frozenset({dt.DTYPES[name]})
