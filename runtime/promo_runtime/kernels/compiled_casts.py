"""Loops on arrays of a float dtype and an integer one that cast, compute and store in one step, compiled by numba.

They are ufuncs: NumPy calls them without the interpreter lock, and checks for warnings. Every step
rounds as NumPy's does: an integer to the nearest float, then the operation.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

# It is untyped, and mypy runs without it.
numba: Any = import_module("numba")


def _loops(number: Any) -> Mapping[np.ufunc, Callable[..., Any]]:
    # The names are those of NumPy's loops, because warnings show them.
    def add(x: Any, y: Any) -> Any:
        return number(x) + number(y)

    def subtract(x: Any, y: Any) -> Any:
        return number(x) - number(y)

    def multiply(x: Any, y: Any) -> Any:
        return number(x) * number(y)

    def divide(x: Any, y: Any) -> Any:
        return number(x) / number(y)

    return {np.add: add, np.subtract: subtract, np.multiply: multiply, np.divide: divide}


@cache
def loop(ufunc: np.ufunc, operands: tuple[np.dtype[Any], ...], result: np.dtype[Any]) -> Callable[..., Any]:
    """The compiled ufunc. The machine code is cached on disk if possible."""
    signature = [f"{result.name}({', '.join(each.name for each in operands)})"]
    function = _loops(result.type)[ufunc]
    try:
        return numba.vectorize(signature, cache=True)(function)  # type: ignore[no-any-return] # a ufunc
    except RuntimeError:  # numba finds no writable folder
        return numba.vectorize(signature)(function)  # type: ignore[no-any-return] # the same
