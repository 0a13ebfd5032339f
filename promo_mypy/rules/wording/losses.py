"""Compute the cost of converting an operand to the dtype of the result: bytes, digits, range."""

from dataclasses import dataclass
from typing import Final

from promo_mypy.rules.dtypes import DTYPES, PythonScalar, Shaped
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.wording.dialects import holds
from promo_mypy.rules.wording.reasons import spelled


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost for the numbers of one operand."""

    operand: str
    bytes_before: int | None
    """Bytes of one element; None for a Python scalar."""
    bytes_after: int
    precision_before: int | None
    """Bits of the significand; None for integers and bool."""
    precision_after: int | None
    losses: tuple[str, ...]
    """The losses in words; empty if every value can be represented."""


def cost(operand: Operand, result: type[Shaped]) -> Cost:
    """The cost of converting an operand to the dtype of the result."""
    dtype = operand.dtype
    if issubclass(dtype, PythonScalar):
        # A Python float is a C double, and a complex is two. An int has no bounds. A bool is the same everywhere.
        source = {"f": DTYPES["float64"], "c": DTYPES["complex128"], "b": DTYPES["bool"]}.get(dtype.kind)
        losses = _of_any_int(result) if source is None else losses_of(source, result)
        precision = None if source is None else source.precision
        return Cost(spelled(dtype), None, result.itemsize, precision, result.precision, losses)
    return Cost(
        spelled(dtype),
        dtype.itemsize,
        result.itemsize,
        dtype.precision,
        result.precision,
        losses_of(dtype, result),
    )


def losses_of(source: type[Shaped], result: type[Shaped]) -> tuple[str, ...]:
    """The losses of numbers of `source` in `result`, in words; empty if `result` represents all of them."""
    if holds(result, source):
        return ()
    found = []
    if source.kind == "c" and result.kind != "c":
        found.append("the imaginary part is lost")
    if source.kind in "fc" and result.kind in "bui":
        found.append("fractions are lost")
    if result.precision is not None:
        if source.precision is None and source.bits - (source.kind == "i") > result.precision:
            found.append(f"exact only for integers up to 2**{result.precision} ({2**result.precision})")
        elif source.precision is not None and source.precision > result.precision:
            found.append(f"{result.precision} bits of significand instead of {source.precision}")
    if source.maximum > result.maximum or source.minimum < result.minimum:
        found.append(f"the range is {_range(result)}")
    return tuple(found)


def _of_any_int(result: type[Shaped]) -> tuple[str, ...]:
    if result.precision is not None:
        return (f"exact only for integers up to 2**{result.precision} ({2**result.precision})",)
    return (f"only {_range(result)}",)


def _range(dtype: type[Shaped]) -> str:
    return f"{_number(dtype.minimum)} to {_number(dtype.maximum)}"


#: The most bits of an int that is written in decimal.
_MOST_BITS: Final = 64
#: The end of the whole floats that are written without an exponent.
_MOST_DECIMAL: Final = 1e6


def _number(value: int | float) -> str:
    if isinstance(value, int):
        sign = "-" if value < 0 else ""
        return str(value) if value.bit_length() <= _MOST_BITS else f"{sign}2**{abs(value).bit_length()}"
    return str(int(value)) if value.is_integer() and abs(value) < _MOST_DECIMAL else f"{value:.3g}"
