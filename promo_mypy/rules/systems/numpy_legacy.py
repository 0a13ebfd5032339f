"""NumPy 1.x's promotion: as in 2.x between arrays, but scalars and 0-d arrays count by value.

A scalar whose kind (bool, integer, inexact) is at most that of the arrays becomes the smallest dtype that holds its
value. A type checker knows at most the sign and size of a value, so these rules assume a value that
the arrays' dtype holds; `literal_operand` is more exact for Python's literals. Scalars without arrays, and
scalars of a higher kind, count with their full dtype: int8(1) + 1 is an int64.
Source: running NumPy 1.26 with ml_dtypes 0.5, and the notes of numpy.result_type of that version.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.operations import COMPARISONS
from promo_mypy.rules.promotion import Limits, Number
from promo_mypy.rules.systems import numpy_extensions as ext
from promo_mypy.rules.systems.numpy import DEFAULTS, DIALECT, NumpySystem

#: Kind -> its rank among arrays and scalars; NumPy does not know the kinds of ml_dtypes, which rank last.
RANKS: Final = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 2, "e": 3}

#: The smallest dtype of a kind, which a scalar counts as. The sign of a whole number follows the arrays.
SMALLEST: Final = {"b": "bool", "u": "uint8", "i": "int8", "f": "float16", "c": "complex64"}

#: The first magnitudes that NumPy does not store as a float16, and as a float32.
_HALF, _SINGLE = 65_000.0, 3.4e38

#: The operators and functions that promote before they choose a loop.
_PROMOTING: Final = COMPARISONS.union(
    ("promote", "add", "sub", "mul", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "gcd", "lcm", "clip")
)

#: An int of unknown value is a length or an index: it fits into 64 bits.
_EXAMPLES: Final[Mapping[type[dt.PythonScalar], tuple[Number, ...]]] = {
    dt.py_int: (0, *(sign * 2**bits - (sign < 0) for bits in (0, 7, 8, 15, 16, 31, 32) for sign in (1, -1))),
    dt.py_float: (0.0, _HALF, _SINGLE),
    dt.py_complex: (0j, complex(_SINGLE)),
}

_EXPONENTS: Final[Mapping[type[dt.PythonScalar], tuple[Number, ...]]] = {
    **_EXAMPLES,
    dt.py_int: (*_EXAMPLES[dt.py_int], 2),
    dt.py_float: (*_EXAMPLES[dt.py_float], 2.0),
}

#: The ints that NumPy stores as numbers.
_READ: Final = range(-(2**63), 2**64)

#: ml_dtypes has these since 0.6, for NumPy 2.
_LATER: Final = ext.COMPLEX


class NumpyLegacySystem(NumpySystem):
    """NumPy 1.26, where the rank of an array matters."""

    rank_matters = True
    examples = _EXAMPLES
    squares = (int, float)

    def __init__(self) -> None:
        super().__init__("numpy-legacy", DIALECT)

    def has(self, dtype: type[dt.Shaped]) -> bool:
        """NumPy's dtypes, longdouble as on x86, and the real ones of ml_dtypes."""
        return dtype.name not in _LATER and super().has(dtype)

    def literal_operand(self, operand: Operand, value: Number, operation: str = "promote") -> Operand:
        """An array of the smallest dtype that holds the value: uint8 array + 300 is a uint16.

        Most operations take the first loop that holds both, and of one width the signed one comes first: uint8
        array & 300 is an int16.
        """
        if not isinstance(value, int):
            is_inexact = RANKS[self._kind(operand.dtype.name)] >= RANKS["f"]
            is_smaller = operand.form is Form.ARRAY and is_inexact
            return Operand(_inexact(value)) if is_smaller else super().literal_operand(operand, value)
        dtype = operand.dtype
        if isinstance(value, bool):
            return Operand(dt.py_bool)
        if value in _READ:
            if operand.form is Form.ARRAY and issubclass(dtype, dt.Shaped) and dtype.kind != "b":
                is_wider = dtype.kind == "u" and operation not in _PROMOTING and value > dtype.maximum
                return Operand(_holding(value, signed=dtype.kind == "i" or is_wider))
            if value > dt.int64.maximum:
                return Operand(dt.uint64, Form.SCALAR)
        return Operand(dt.py_int)

    def examples_of(self, operation: str) -> Mapping[type[dt.PythonScalar], tuple[Number, ...]]:
        """Powers of bools depend on the exponent, too."""
        return _EXPONENTS if operation == "pow" else _EXAMPLES

    def _limits(self, operation: str, dtype: type[dt.Shaped], *, reflected: bool) -> Limits | None:
        """Longer ints make arrays of Python objects, which have no dtype here; only comparisons give bools."""
        limits = super()._limits(operation, dtype, reflected=reflected) or Limits(None)
        bounds = None if operation in COMPARISONS else (_READ.start, _READ.stop - 1)
        # A negative int beside uint64 makes both float64.
        negative = limits.negative or dtype is dt.uint64
        return replace(limits, range=bounds, negative=negative, what="the 64 bits that NumPy reads")

    def _stand_in(self, operands: tuple[Operand, ...], table: Mapping[tuple[str, str], str]) -> tuple[str, ...] | None:  # noqa: ARG002 (the interface)
        """Scalars and 0-d arrays as the smallest dtype of their kind, if the arrays' kind is at least as high."""
        names = [
            DEFAULTS[operand.dtype.kind] if issubclass(operand.dtype, dt.PythonScalar) else operand.dtype.name
            for operand in operands
        ]
        arrays = [self._kind(name) for name, o in zip(names, operands, strict=True) if o.form is Form.ARRAY]
        scalars = [self._kind(name) for name, o in zip(names, operands, strict=True) if o.form is not Form.ARRAY]
        if not arrays or not scalars or max(map(RANKS.__getitem__, arrays)) < max(map(RANKS.__getitem__, scalars)):
            return tuple(names)
        signed = bool({"i", "e"} & set(arrays))
        return tuple(
            name if o.form is Form.ARRAY or name in ext.CASTS else _smallest(dt.DTYPES[name].kind, signed=signed)
            for name, o in zip(names, operands, strict=True)
        )


def _smallest(kind: str, *, signed: bool) -> str:
    if kind in "ui":
        kind = "i" if signed else "u"
    return SMALLEST[kind]


def _holding(value: int, *, signed: bool) -> type[dt.Shaped]:
    """np.min_scalar_type of a whole number. Beside signed arrays it is signed, if a signed dtype of that width holds
    it.
    """
    widths = ((dt.uint8, dt.int8), (dt.uint16, dt.int16), (dt.uint32, dt.int32), (dt.uint64, dt.int64))
    order = (dtype for pair in widths for dtype in (reversed(pair) if signed else pair))
    return next(dtype for dtype in order if dtype.minimum <= value <= dtype.maximum)


def _inexact(value: float | complex) -> type[dt.Shaped]:
    """np.min_scalar_type of a float or complex number. Infinity is a float16, but no complex64."""
    magnitude = max(abs(value.real), abs(value.imag))
    if isinstance(value, complex):
        return dt.complex64 if magnitude < _SINGLE else dt.complex128
    if magnitude < _HALF or math.isinf(magnitude):
        return dt.float16
    return dt.float32 if magnitude < _SINGLE else dt.float64


def system(_name: str) -> NumpyLegacySystem:
    """NumPy 1.x."""
    return NumpyLegacySystem()
