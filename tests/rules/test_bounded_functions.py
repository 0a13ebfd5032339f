"""The table of results with few dtypes, compared with the libraries for every dtype that their arrays can have."""

import importlib
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules.bounded_functions import BOUNDED, WIDE
from tests.needed import imported

MATRIX = [[2, 1], [1, 2]]
#: Parts of the names of functions that take two arrays.
OF_TWO = ("solve", "cdist", "xlog", "beta", "gammainc")
#: Dtypes of NumPy, those without a rule included, and dtypes of ml_dtypes.
OF_NUMPY = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "longdouble", "complex64", "complex128", "clongdouble", "object", "U1", "S1", "M8[s]", "m8[s]",
    "bfloat16", "float8_e4m3fn", "int4",
)  # fmt: skip
OF_JAX = (
    "bool", "int8", "int32", "uint64", "float16", "float32", "float64", "complex64", "complex128", "bfloat16",
    "float8_e4m3fn", "int4",
)  # fmt: skip


@pytest.mark.parametrize("name", sorted(BOUNDED))
def test_a_result_has_one_of_the_dtypes(name: str) -> None:
    module, _, short = name.rpartition(".")
    imported(module)
    function = getattr(importlib.import_module(module), short)
    allowed = {dtype.name for dtype in BOUNDED[name]}
    if np.dtype("longdouble").name == "float64":  # on some platforms
        allowed -= {"float128"}
    if name.startswith("jax."):
        jax = imported("jax")
        with jax.enable_x64(True):
            assert _seen(function, name) == allowed
        allowed -= {dtype.name for dtype in WIDE}
    assert _seen(function, name) == allowed


def _seen(function: Any, name: str) -> set[str]:
    seen = set[str]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for array in _arrays(name.partition(".")[0]):
            for each in (array[0], array.ravel()) if name.endswith(".roots") else (array,):  # of polynomials
                seen |= _dtypes(function, name, each)
    return seen


def _arrays(library: str) -> Iterator[Any]:
    if library == "jax":
        jax = imported("jax")
        yield from (jax.numpy.array(MATRIX).astype(dtype) for dtype in OF_JAX)
        yield jax.random.split(jax.random.key(0), (2, 2))
    elif library == "torch":
        torch = imported("torch")
        named = (getattr(torch, name) for name in dir(torch))
        for dtype in {each for each in named if isinstance(each, torch.dtype)}:
            try:
                yield torch.tensor(MATRIX).to(dtype)
            except (RuntimeError, NotImplementedError):  # quantized and sub-byte dtypes
                continue
    else:
        yield from (np.array(MATRIX).astype(getattr(ml_dtypes, dtype, None) or dtype) for dtype in OF_NUMPY)


def _dtypes(function: Any, name: str, array: Any) -> set[str]:
    """The dtypes of the arrays that a function returns; none if it rejects the array."""
    given = (array, array) if any(each in function.__name__ for each in OF_TWO) else (array,)
    options = {"upper": True} if function.__name__ == "linalg_solve_triangular" else {}
    try:
        # JAX rejects a dtype before it compiles, which is what takes time.
        of_jax = name.startswith("jax.")
        static = {"strip_zeros": False} if name == "jax.numpy.roots" else {}
        compiled = imported("jax").jit(partial(function, **static)) if of_jax else None
        result = compiled.lower(*given).out_info if compiled is not None else function(*given, **options)
    except Exception:  # each library rejects a dtype in its own way
        return set()
    items = result if isinstance(result, tuple) else (result,)
    return {str(each.dtype).removeprefix("torch.") for each in items if hasattr(each, "dtype")}
