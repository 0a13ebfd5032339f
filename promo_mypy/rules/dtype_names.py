"""Read dtype arguments: for each library, the names of its dtypes.

`x.astype("double")`, `x.astype(jnp.single)`, `x.to(torch.half)`, `x.astype(float)`. NumPy's own scalar classes are
missing here: mypy resolves those aliases itself.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import partial
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.records import record

DType = type[dt.Shaped]
Names = Mapping[str, DType]

_SMALL: Final[tuple[DType, ...]] = tuple(d for d in dt.SMALL if d is not dt.float4_e2m1fn_x2)


def _table(dtypes: tuple[DType, ...], others: Mapping[DType, str]) -> Names:
    """The dtypes by their own names, and by further names, separated by spaces."""
    rows = {dtype.name: dtype for dtype in dtypes}
    rows.update((name, dtype) for dtype, names in others.items() for name in names.split())
    return MappingProxyType(rows)


#: The dtypes that `numpy.dtype` reads from a string; ml_dtypes registers its types by name. `long` and its character
#: codes are missing: they have 32 bits on Windows and 64 elsewhere. Measured over numpy.sctypeDict and the type codes.
NUMPY_STRINGS: Final = _table(
    (*dt.ORDINARY, *_SMALL, dt.float128, dt.complex256),
    {
        dt.bool_: "bool_ ? b1",
        dt.int8: "byte b i1",
        dt.uint8: "ubyte B u1",
        dt.int16: "short h i2",
        dt.uint16: "ushort H u2",
        dt.int32: "intc i i4",
        dt.uint32: "uintc I u4",
        dt.int64: "int int_ intp longlong q p n i8",
        dt.uint64: "uint uintp ulonglong Q P N u8",
        dt.float16: "half e f2",
        dt.float32: "single f f4",
        dt.float64: "float double d f8",
        dt.float128: "longdouble g f16",
        dt.complex64: "csingle F c8",
        dt.complex128: "complex cdouble D c16",
        dt.complex256: "clongdouble G c32",
    },
)

# "<f4", "=i8", "|b1": a byte order may stand before a character code, with or without a size.
_ORDERED: Final = r"(?P<order>[<>=|])(?P<code>\?|[a-zA-Z]\d{0,2})"

#: Attributes of `jax.numpy`. While x64 is off, they stand for narrower dtypes: see `X32`.
JAX_NAMES: Final = _table(
    (*dt.ORDINARY, *_SMALL),
    {
        dt.bool_: "bool_",
        dt.int64: "int_",
        dt.uint64: "uint",
        dt.float32: "single",
        dt.float64: "double float_",
        dt.complex64: "csingle",
        dt.complex128: "cdouble complex_",
    },
)

#: Attributes of `torch`.
TORCH_NAMES: Final = _table(
    (
        *dt.ORDINARY, dt.complex32, dt.int1, dt.int2, dt.int4, dt.uint1, dt.uint2, dt.uint4, dt.float4_e2m1fn_x2,
        dt.float8_e4m3fn, dt.float8_e4m3fnuz, dt.float8_e5m2, dt.float8_e5m2fnuz, dt.float8_e8m0fnu,
    ),
    {
        dt.int16: "short",
        dt.int32: "int",
        dt.int64: "long",
        dt.float16: "half",
        dt.float32: "float",
        dt.float64: "double",
        dt.complex32: "chalf",
        dt.complex64: "cfloat",
        dt.complex128: "cdouble",
    },
)  # fmt: skip

#: Attributes of `array_api_strict`.
ARRAY_API_NAMES: Final = _table(
    tuple(dtype for dtype in dt.ORDINARY if dtype not in (dt.bfloat16, dt.float16)),
    {},
)

#: Attributes of `paddle`. Its `uint16` is the old name of bfloat16, and its `int` and `float` have 32 bits.
PADDLE_NAMES: Final = _table(
    (
        dt.bool_, dt.uint8, dt.uint32, dt.uint64, dt.int8, dt.int16, dt.int32, dt.int64,
        dt.bfloat16, dt.float16, dt.float32, dt.float64, dt.complex64, dt.complex128, dt.float8_e4m3fn, dt.float8_e5m2,
    ),
    {
        dt.bfloat16: "uint16",
        dt.int16: "short",
        dt.int32: "int",
        dt.int64: "long",
        dt.float16: "half",
        dt.float32: "float",
        dt.float64: "double",
        dt.complex64: "cfloat",
        dt.complex128: "cdouble",
    },
)  # fmt: skip

#: Attributes of `tensorflow` and `tensorflow.dtypes`.
TENSORFLOW_NAMES: Final = _table(dt.ORDINARY, {dt.float16: "half", dt.float64: "double"})

#: Attributes of `ml_dtypes`.
ML_DTYPES_NAMES: Final = _table((dt.bfloat16, *_SMALL), {})

#: PyTorch's classes of tensors of one dtype.
TORCH_CLASSES: Final[Names] = MappingProxyType(
    {
        "ByteTensor": dt.uint8, "CharTensor": dt.int8, "ShortTensor": dt.int16, "IntTensor": dt.int32,
        "LongTensor": dt.int64, "BoolTensor": dt.bool_, "HalfTensor": dt.float16, "BFloat16Tensor": dt.bfloat16,
        "FloatTensor": dt.float32, "DoubleTensor": dt.float64,
    }
)  # fmt: skip

#: The strings of `Tensor.type`: "torch.FloatTensor", "torch.cuda.FloatTensor".
TORCH_TYPE_STRINGS: Final[Names] = MappingProxyType(
    {f"{module}.{name}": dtype for module in ("torch", "torch.cuda") for name, dtype in TORCH_CLASSES.items()}
)  # fmt: skip

#: Python types as dtype arguments; all libraries agree (PyTorch too: `x.to(float)` is float64), JAX with x64 on.
PYTHON_TYPES: Final[Names] = MappingProxyType(
    {
        "builtins.bool": dt.bool_,
        "builtins.int": dt.int64,
        "builtins.float": dt.float64,
        "builtins.complex": dt.complex128,
    }
)

#: NumPy's dtypes that PaddlePaddle accepts -> its own dtypes.
_PADDLE_FROM_NUMPY: Final[Mapping[DType, DType]] = MappingProxyType(
    {dtype: dtype for dtype in PADDLE_NAMES.values() if dtype not in (dt.bfloat16, dt.uint32, dt.uint64)}
    | {dt.uint16: dt.bfloat16}
)

#: The strings that TensorFlow reads: its own names, and Python's `float` for its default dtype.
_TENSORFLOW_STRINGS: Final = MappingProxyType(
    {**TENSORFLOW_NAMES, "float": dt.float32, "float8_e4m3fn": dt.float8_e4m3fn, "float8_e5m2": dt.float8_e5m2}
)

#: 64-bit dtype argument -> the dtype that JAX uses while x64 is off.
X32: Final[Mapping[DType, DType]] = MappingProxyType(
    {dt.int64: dt.int32, dt.uint64: dt.uint32, dt.float64: dt.float32, dt.complex128: dt.complex64}
)

#: Dtypes that JAX has no arrays of.
NOT_JAX: Final = frozenset({dt.float128, dt.complex256})


def numpy_string(text: str, *, swapped: bool) -> DType | None:
    """The dtype that NumPy reads from a string; None for strings, objects, dates, structures and invalid names.

    `swapped`: whether an array may have the other byte order (">f4"); JAX rejects those.
    """
    ordered = re.fullmatch(_ORDERED, text)
    if ordered is None:
        return NUMPY_STRINGS.get(text)
    dtype = NUMPY_STRINGS.get(ordered["code"])
    if dtype is not None and ordered["order"] == ">" and dtype.itemsize > 1 and not swapped:
        return None
    return dtype


@record
class Spellings:
    """What one library accepts as a dtype argument.

    Attributes:
        names: the attributes of the library that are its own dtypes; empty if it uses NumPy's.
        string: reads a dtype from a string.
        python: Python's types.
        from_numpy: converts NumPy's dtypes (scalar classes, `numpy.dtype` objects); None for those that it rejects.
        uses_numpy: whether its arrays have NumPy's dtypes. Every library that accepts NumPy's dtypes accepts these,
        too.
    """

    names: Names = field(default_factory=lambda: MappingProxyType({}))
    string: Callable[[str], DType | None] = NUMPY_STRINGS.get
    python: Names = field(default_factory=lambda: PYTHON_TYPES)
    from_numpy: Callable[[DType], DType | None] = lambda dtype: dtype
    uses_numpy: bool = False


def _nothing(_: object) -> None:
    """Reads no string and no NumPy dtype."""


def _paddle_string(text: str) -> DType | None:
    """Paddle reads the name bfloat16 itself, and every other string as NumPy does."""
    if text in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        return dt.DTYPES[text]
    dtype = numpy_string(text, swapped=False)
    return _PADDLE_FROM_NUMPY.get(dtype) if dtype is not None else None


#: Library -> how its dtype arguments are written. Measured by executing casts.
SPELLINGS: Final[Mapping[str, Spellings]] = MappingProxyType(
    {
        "numpy": Spellings(string=partial(numpy_string, swapped=True), uses_numpy=True),
        "dask": Spellings(string=partial(numpy_string, swapped=True), uses_numpy=True),
        "cupy": Spellings(string=partial(numpy_string, swapped=False), uses_numpy=True),
        "jax": Spellings(JAX_NAMES, partial(numpy_string, swapped=False), uses_numpy=True),
        "torch": Spellings(TORCH_NAMES, _nothing, from_numpy=_nothing),
        "array-api": Spellings(ARRAY_API_NAMES, _nothing, MappingProxyType({}), _nothing),
        "paddle": Spellings(PADDLE_NAMES, _paddle_string, from_numpy=_PADDLE_FROM_NUMPY.get),
        "tensorflow": Spellings(
            TENSORFLOW_NAMES,
            _TENSORFLOW_STRINGS.get,
            MappingProxyType({"builtins.bool": dt.bool_, "builtins.float": dt.float32}),
            lambda dtype: dtype if dtype in _TENSORFLOW_STRINGS.values() else None,
        ),
    }
)


_TIMES: Final[Mapping[str, str]] = MappingProxyType(
    {"datetime64": "datetime64", "M8": "datetime64", "M": "datetime64"}
    | {"timedelta64": "timedelta64", "m8": "timedelta64", "m": "timedelta64"}
)
_TIME: Final = re.compile(r"[<>=|]?(?P<name>datetime64|timedelta64|M8|m8|M|m)(?:\[[^\]]*\])?")


def time_class(text: str) -> str | None:
    """NumPy's class of times or durations that a text names, with or without a unit: `"datetime64[h]"`, `"<m8"`."""
    match = _TIME.fullmatch(text)
    return None if match is None else _TIMES[match["name"]]
