"""`python -m tests.other_libraries.mixed LIBRARY`: execute operators on arrays of a library beside NumPy's arrays.

Prints one JSON object: "operator,left,right,dtype,dtype" -> the class and dtype of the result, or an exception.
"""

import json
import operator
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "/": operator.truediv, "**": operator.pow, "<": operator.lt, "==": operator.eq,
}  # fmt: skip
DTYPES = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128")
PAIRS = (("array", "ndarray"), ("ndarray", "array"), ("array", "scalar"), ("scalar", "array"))


def maker(library: str) -> Callable[[str], Any]:
    """A function from the name of a dtype to an array of two ones."""
    if library == "dask":
        import dask.array as da

        return lambda dtype: da.ones(2, dtype=dtype, chunks=1)
    if library == "array-api":
        import array_api_strict as xp

        return lambda dtype: xp.ones(2, dtype=getattr(xp, dtype))
    if library == "paddle":
        import paddle

        return lambda dtype: paddle.ones([2], dtype="float32").astype(dtype)
    import tensorflow as tf

    return lambda dtype: tf.cast(tf.ones([2]), dtype)


def cells() -> Iterator[tuple[str, str, str, str, str]]:
    """Operator, the left and right operand, their dtypes."""
    for symbol in OPERATORS:
        for left, right in PAIRS:
            for one in DTYPES:
                for other in DTYPES:
                    yield symbol, left, right, one, other


def executed(library: str) -> dict[str, str]:
    """Every cell by its parts, joined by commas."""
    array = maker(library)
    kinds: dict[str, Callable[[str], Any]] = {
        "array": array,
        "ndarray": lambda dtype: np.ones(2, dtype),
        "scalar": lambda dtype: np.dtype(dtype).type(1),
    }
    found = {}
    for symbol, left, right, one, other in cells():
        try:
            result = OPERATORS[symbol](kinds[left](one), kinds[right](other))
        except Exception as error:
            found[",".join((symbol, left, right, one, other))] = f"!{type(error).__name__}"
            continue
        dtype = str(getattr(result, "dtype", type(result).__name__))
        for noise in ("<dtype: '", "'>", "paddle.", "array_api_strict."):
            dtype = dtype.replace(noise, "")
        found[",".join((symbol, left, right, one, other))] = f"{type(result).__name__} {dtype}"
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.stdout.write(json.dumps(executed(sys.argv[1])) + "\n")
