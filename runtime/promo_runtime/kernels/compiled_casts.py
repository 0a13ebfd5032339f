"""Loops on arrays of a float dtype and an integer one that cast, compute and store at once, compiled by numba.

They are ufuncs: NumPy calls them without the interpreter's lock, and looks for what is to be warned of. Every step
rounds as NumPy's does: an integer to the nearest float, then the operation.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

# It has no types, and mypy does not need it to be installed.
numba: Any = import_module("numba")


def _loops(number: Any) -> Mapping[np.ufunc, Callable[..., Any]]:
    # Named as NumPy's loops, whose name is in their warnings.
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
    """The compiled ufunc. The machine code is kept on disk, where there is a place."""
    signature = [f"{result.name}({', '.join(each.name for each in operands)})"]
    function = _loops(result.type)[ufunc]
    try:
        return numba.vectorize(signature, cache=True)(function)  # type: ignore[no-any-return] # a ufunc
    except RuntimeError:  # numba finds no folder that it may write to
        return numba.vectorize(signature)(function)  # type: ignore[no-any-return] # the same
