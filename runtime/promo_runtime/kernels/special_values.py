"""Correct infinities, signed zeros and NaNs if NumPy's loops differ from the array API standard.

Source: the special cases of each function in data-apis.org/array-api/2025.12.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

_ndarray: Final[Any] = np.ndarray


def _floor_divide(floor: Callable[..., Any], one: Any, other: Any) -> Any:
    """The floor of `/` if an operand is infinite. In NumPy inf // 2 is NaN, and 1 // -inf is -1."""
    if not (_has_infinity(one) or _has_infinity(other)):
        return floor(one, other)
    with np.errstate(invalid="ignore"):  # the quotient warns about it
        finite = floor(one, other)
    return np.where(np.isinf(one) | np.isinf(other), np.floor(np.divide(one, other)), finite)[()]


def _power(power: Callable[..., Any], one: Any, other: Any) -> Any:
    """Powers of -inf and -0 with the 0-d exponent 1/2, for which NumPy computes square roots."""
    if (other.ndim or other.item() != 0.5) if other.__class__ is _ndarray else other != 0.5:
        return power(one, other)
    roots = power(one, other)
    if not _any(np.signbit(one)):
        return roots
    return np.where((one == 0) | np.isinf(one), np.abs(one), roots).astype(roots.dtype)[()]


def _expm1(expm1: Callable[..., Any], x: Any) -> Any:
    """exp(x) - 1 for a complex zero, and for parts that are not finite: NumPy returns NaNs."""
    special = (x == 0) | ~np.isfinite(x)
    return np.where(special, np.exp(x) - 1, expm1(x))[()] if _any(special) else expm1(x)


def _sign(sign: Callable[..., Any], x: Any) -> Any:
    """Both parts are NaN if one part of the operand is NaN."""
    unknown = np.isnan(x)
    return np.where(unknown, complex(math.nan, math.nan), sign(x))[()] if _any(unknown) else sign(x)


def _tanh(tanh: Callable[..., Any], x: Any) -> Any:
    """1 + 0j for an infinite real part and a finite imaginary part. In NumPy its sine decides the sign of the zero."""
    infinite = np.isinf(np.real(x)) & np.isfinite(np.imag(x))
    if not _any(infinite):
        return tanh(x)
    limits = np.empty_like(x)
    limits.real, limits.imag = np.copysign(1, np.real(x)), np.copysign(0, np.imag(x))
    return np.where(infinite, limits, tanh(x))[()]


def _has_infinity(x: Any) -> bool:
    return _any(np.isinf(x)) if x.__class__ is _ndarray else math.isinf(x)


def _any(mask: Any) -> bool:
    return b"\1" in mask.tobytes()  # for few elements this takes a third of the time of any()


CORRECTED: Final[Mapping[tuple[str, str], Callable[..., Any]]] = MappingProxyType(
    {
        ("floor_divide", "f"): _floor_divide,
        ("pow", "f"): _power,
        ("expm1", "c"): _expm1,
        ("sign", "c"): _sign,
        ("tanh", "c"): _tanh,
    }
)
"""(function of the standard, kind of the computation's dtype) -> function of NumPy's kernel and the operands."""
