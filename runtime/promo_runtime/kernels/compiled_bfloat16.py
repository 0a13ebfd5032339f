"""Loops on the bits of bfloat16 that widen, compute in float32 and round in one step, compiled by numba. Requires
numba.

They are ufuncs: NumPy calls them without the interpreter lock, and checks for warnings. Rounding is to
nearest, ties to even; a NaN result is recognised by its bits, `NAN`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

from promo_runtime.kernels.compiled_kernels import NAN

# It is untyped, and mypy runs without it.
numba: Any = import_module("numba")

_u16, _u32, _f32 = np.uint16, np.uint32, np.float32


def _widened(bits: Any) -> Any:
    return _u32(_u32(bits) << _u32(16)).view(_f32)


def _narrowed(number: Any) -> Any:
    bits = _f32(number).view(_u32)
    if bits & _u32(0x7FFFFFFF) > _u32(0x7F800000):
        return _u16(NAN)
    return _u16((bits + _u32(0x7FFF) + ((bits >> _u32(16)) & _u32(1))) >> _u32(16))


_wide, _narrow = numba.njit(_widened), numba.njit(_narrowed)


# The names are those of NumPy's loops, because warnings show them.
def add(x: Any, y: Any) -> Any:
    """The sum."""
    return _narrow(_wide(x) + _wide(y))


def subtract(x: Any, y: Any) -> Any:
    """The difference."""
    return _narrow(_wide(x) - _wide(y))


def multiply(x: Any, y: Any) -> Any:
    """The product."""
    return _narrow(_wide(x) * _wide(y))


def divide(x: Any, y: Any) -> Any:
    """The quotient."""
    return _narrow(_wide(x) / _wide(y))


def sqrt(x: Any) -> Any:
    """The square root."""
    return _narrow(np.sqrt(_wide(x)))


_LOOPS: Final[Mapping[np.ufunc, Callable[..., Any]]] = {
    np.add: add, np.subtract: subtract, np.multiply: multiply, np.divide: divide, np.sqrt: sqrt,
}  # fmt: skip


@cache
def loop(ufunc: np.ufunc) -> Callable[..., Any]:
    """The compiled ufunc, of one or two arrays of uint16. The machine code is cached on disk if possible."""
    signature = [f"uint16({', '.join(['uint16'] * ufunc.nin)})"]
    try:
        return numba.vectorize(signature, cache=True)(_LOOPS[ufunc])  # type: ignore[no-any-return] # a ufunc
    except RuntimeError:  # numba finds no writable folder
        return numba.vectorize(signature)(_LOOPS[ufunc])  # type: ignore[no-any-return] # the same
