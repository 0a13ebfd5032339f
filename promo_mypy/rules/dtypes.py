"""The dtypes as classes: a type argument for mypy, a value for the rules, a value at run time.

A category (`Float`, `Integer`, ...) is the base class of the dtypes it holds, so `Array[float32]` is an `Array[Float]`.
A weak dtype (a JAX array made from Python scalars) is a subclass of its strong dtype. Python scalars are operands,
not dtypes, and stand apart.
"""

# ruff: noqa: D101 -- the keywords of a row in the dtype table say what a docstring would repeat

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from promo_mypy.rules.wording.near_matches import meant


class UnknownDtypeError(KeyError):
    """A name that is not the name of a dtype; the message lists the nearest names."""

    def __str__(self) -> str:
        return str(self.args[0])


class Shaped:
    """Any dtype: the root of all categories and dtypes.

    Only the class is used, never an instance. The attributes below are set on every exact dtype; a category has only
    `name`.
    """

    name: ClassVar[str] = "Shaped"
    """The library's spelling ("bool", "float32"); a weak dtype carries a star ("float32*"); a category its own name."""
    kind: ClassVar[str] = ""
    """"b" bool, "u" unsigned, "i" signed, "f" float, "c" complex, "k" random key, "" for a category."""
    bits: ClassVar[int] = 0
    """Bits of information in one element."""
    itemsize: ClassVar[int] = 0
    """Bytes that one element takes in a NumPy (ml_dtypes) or PyTorch array: the small types are not packed."""
    precision: ClassVar[int | None] = None
    """Bits of the significand with the implicit one (complex: of one part); None for bool and integers."""
    minimum: ClassVar[int | float] = 0
    """Lowest finite value (complex: of one part); an int where the value is whole and a Python float cannot hold it."""
    maximum: ClassVar[int | float] = 0
    """Largest finite value (complex: of one part)."""
    weak: ClassVar[bool] = False
    """True for the weak forms i*, f*, c* of JAX."""
    strong: ClassVar["type[Shaped]"]
    """The dtype without weakness; the class itself if it is not weak."""
    exact: ClassVar[bool] = False
    """True for a dtype, False for a category."""

    def __init_subclass__(
        cls,
        *,
        bits: int | None = None,
        itemsize: int | None = None,
        precision: int | None = None,
        minimum: int | float | None = None,
        maximum: int | float | None = None,
        weak: bool = False,
    ) -> None:
        cls.name = cls.__name__.removesuffix("_")
        if weak:
            cls.weak = True
            cls.name = cls.strong.name + "*"
        if bits is None:  # a category, or a weak form that inherits its numbers
            return
        cls.exact = True
        cls.strong = cls
        cls.bits = bits
        cls.itemsize = itemsize if itemsize is not None else max(1, bits // 8)
        cls.precision = precision
        if maximum is None and cls.kind in ("i", "u"):
            minimum = -(1 << bits - 1) if cls.kind == "i" else 0
            maximum = (1 << bits - (cls.kind == "i")) - 1
        if maximum is not None:
            cls.maximum = maximum
            cls.minimum = minimum if minimum is not None else -maximum


class Num(Shaped):
    """Everything but bool and keys."""


class Real(Num):
    """Integers and floats."""


class Inexact(Num):
    """Floats and complex."""


class Integer(Real):
    """Signed and unsigned integers."""


class SignedInteger(Integer):
    """Signed integers."""

    kind = "i"


class UnsignedInteger(Integer):
    """Unsigned integers."""

    kind = "u"


class Float(Real, Inexact):
    """Real floating point."""

    kind = "f"


class Complex(Inexact):
    """Complex floating point."""

    kind = "c"


# One row per dtype. The numbers are those of numpy.finfo, ml_dtypes.finfo and torch.finfo.
# fmt: off

class bool_(Shaped, bits=8, minimum=0, maximum=1):
    """Truth value."""

    kind = "b"

class key(Shaped, bits=0, itemsize=0):
    """The dtype of JAX's typed PRNG keys: they can be compared and indexed, but do not support arithmetic."""

    kind = "k"

class int1(SignedInteger, bits=1): ...
class int2(SignedInteger, bits=2): ...
class int4(SignedInteger, bits=4): ...
class int8(SignedInteger, bits=8): ...
class int16(SignedInteger, bits=16): ...
class int32(SignedInteger, bits=32): ...
class int64(SignedInteger, bits=64): ...

class uint1(UnsignedInteger, bits=1): ...
class uint2(UnsignedInteger, bits=2): ...
class uint4(UnsignedInteger, bits=4): ...
class uint8(UnsignedInteger, bits=8): ...
class uint16(UnsignedInteger, bits=16): ...
class uint32(UnsignedInteger, bits=32): ...
class uint64(UnsignedInteger, bits=64): ...

class bfloat16(Float, bits=16, precision=8, maximum=(2 - 2**-7) * 2.0**127): ...
class float16(Float, bits=16, precision=11, maximum=65504.0): ...
class float32(Float, bits=32, precision=24, maximum=(2 - 2**-23) * 2.0**127): ...
class float64(Float, bits=64, precision=53, maximum=(2 - 2**-52) * 2.0**1023): ...
class float128(Float, bits=128, precision=64, maximum=((1 << 64) - 1) << 16320): ...  # x86 longdouble: 80 bits used

class complex32(Complex, bits=32, precision=11, maximum=65504.0): ...  # two float16; in ml_dtypes since 0.6
class bcomplex32(Complex, bits=32, precision=8, maximum=bfloat16.maximum): ...  # two bfloat16, ml_dtypes only
class complex64(Complex, bits=64, precision=24, maximum=float32.maximum): ...
class complex128(Complex, bits=128, precision=53, maximum=float64.maximum): ...
class complex256(Complex, bits=256, precision=64, maximum=float128.maximum): ...  # two longdouble

# The names of the small floats count exponent and mantissa bits; fn: finite only, uz: unsigned zero, b11: the bias.
class float8_e3m4(Float, bits=8, precision=5, maximum=15.5): ...
class float8_e4m3(Float, bits=8, precision=4, maximum=240.0): ...
class float8_e4m3b11fnuz(Float, bits=8, precision=4, maximum=30.0): ...
class float8_e4m3fn(Float, bits=8, precision=4, maximum=448.0): ...
class float8_e4m3fnuz(Float, bits=8, precision=4, maximum=240.0): ...
class float8_e5m2(Float, bits=8, precision=3, maximum=57344.0): ...
class float8_e5m2fnuz(Float, bits=8, precision=3, maximum=57344.0): ...
class float8_e8m0fnu(Float, bits=8, precision=1, minimum=2.0**-127, maximum=2.0**127): ...  # no sign, no zero
class float6_e2m3fn(Float, bits=6, precision=4, maximum=7.5): ...
class float6_e3m2fn(Float, bits=6, precision=3, maximum=28.0): ...
class float4_e2m1fn(Float, bits=4, precision=2, maximum=6.0): ...
class float4_e2m1fn_x2(Float, bits=8, precision=2, maximum=6.0): ...  # PyTorch only: two float4 in a byte

# The weak forms of JAX: i*, f* and c* at the width of either x64 setting.
class weak_int32(int32, weak=True): ...
class weak_int64(int64, weak=True): ...
class weak_float32(float32, weak=True): ...
class weak_float64(float64, weak=True): ...
class weak_complex64(complex64, weak=True): ...
class weak_complex128(complex128, weak=True): ...

# fmt: on


class PythonScalar:
    """A Python number as an operand."""

    name: ClassVar[str] = "PythonScalar"
    kind: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        cls.name = cls.__name__


class py_bool(PythonScalar):
    """True or False."""

    kind = "b"


class py_int(PythonScalar):
    """A Python int."""

    kind = "i"


class py_float(PythonScalar):
    """A Python float."""

    kind = "f"


class py_complex(PythonScalar):
    """A Python complex."""

    kind = "c"


#: The dtype of an operand.
OperandType = type[Shaped] | type[PythonScalar]

_CATEGORIES: Final[tuple[type[Shaped], ...]] = (
    Shaped, Num, Real, Inexact, Integer, SignedInteger, UnsignedInteger, Float, Complex,
)  # fmt: skip
CATEGORIES: Final[Mapping[str, type[Shaped]]] = MappingProxyType({c.name: c for c in _CATEGORIES})

ORDINARY: Final[tuple[type[Shaped], ...]] = (
    bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64,
    bfloat16, float16, float32, float64, complex64, complex128,
)  # fmt: skip
"""The fifteen dtypes that NumPy (with ml_dtypes), JAX and PyTorch share, in promotion order."""

FLOAT8: Final[tuple[type[Shaped], ...]] = (
    float8_e3m4, float8_e4m3, float8_e4m3b11fnuz, float8_e4m3fn,
    float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu,
)  # fmt: skip

SMALL: Final[tuple[type[Shaped], ...]] = (
    int1, int2, int4, uint1, uint2, uint4, float4_e2m1fn, float4_e2m1fn_x2, float6_e2m3fn, float6_e3m2fn, *FLOAT8,
)  # fmt: skip
"""Dtypes narrower than a byte, and the floats of a byte."""

WEAK: Final[Mapping[type[Shaped], type[Shaped]]] = MappingProxyType(
    {w.strong: w for w in (weak_int32, weak_int64, weak_float32, weak_float64, weak_complex64, weak_complex128)}
)
"""Strong dtype -> its weak form."""

_OTHERS: Final[tuple[type[Shaped], ...]] = (float128, complex32, bcomplex32, complex256, key)
DTYPES: Final[Mapping[str, type[Shaped]]] = MappingProxyType(
    {d.name: d for d in (*ORDINARY, *SMALL, *WEAK.values(), *_OTHERS)}
)
"""Every exact dtype by name."""

PYTHON_SCALARS: Final[Mapping[str, type[PythonScalar]]] = MappingProxyType(
    {s.name: s for s in (py_bool, py_int, py_float, py_complex)}
)

REAL_PARTS: Final[Mapping[type[Shaped], type[Shaped]]] = MappingProxyType(
    {
        complex32: float16,
        bcomplex32: bfloat16,
        complex64: float32,
        complex128: float64,
        complex256: float128,
        weak_complex64: weak_float32,
        weak_complex128: weak_float64,
    }
)
"""Complex dtype -> dtype of its real and imaginary parts."""


def parse(name_or_class: str | type[Shaped]) -> type[Shaped]:
    """The dtype or category of that name: "float32", "float32*", "bool", "weak_float32", "bool_", "Float".

    A class is returned as it is. Raises UnknownDtypeError, naming near matches, for anything else.
    """
    if not isinstance(name_or_class, str):
        return name_or_class
    found = _BY_NAME.get(name_or_class)
    if found is None:
        raise UnknownDtypeError(f"no dtype is called {name_or_class!r}{meant(name_or_class, _BY_NAME)}")
    return found


_BY_NAME: Final[Mapping[str, type[Shaped]]] = MappingProxyType(
    {**CATEGORIES, **DTYPES, **{dtype.__name__: dtype for dtype in DTYPES.values()}}
)
