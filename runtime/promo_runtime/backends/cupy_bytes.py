"""The dtypes of ml_dtypes that CuPy does not know, on the GPU: bytes that are viewed as what they stand for.

CuPy takes views, slices and items of such arrays, and nothing else. Their values are looked up in tables of all 256
bytes, measured from the casts of ml_dtypes; a float is rounded to one of them in a kernel, an integer by a table.
"""

from functools import cache
from typing import Any

import numpy as np

from promo_runtime.backends.cuda_floats import small_float
from promo_runtime.backends.numpy_functions import carrier
from promo_runtime.numpy_dtypes import dtype_of, numpy_dtype

BITS = np.dtype(np.uint8)
#: What `isbuiltin` says of a dtype that a package has registered.
REGISTERED = 2


def is_unknown(dtype: Any) -> bool:
    """Whether it is one of these dtypes: of those of several bytes CuPy knows all, bfloat16 among them."""
    return isinstance(dtype, np.dtype) and dtype.itemsize == 1 and dtype.isbuiltin == REGISTERED


def bits(array: Any) -> Any:
    """The array, or its bytes where CuPy does not know the dtype."""
    return array.view(BITS) if is_unknown(getattr(array, "dtype", None)) else array


class Bytes:
    """The casts from and to one of these dtypes."""

    def __init__(self, library: Any, dtype: np.dtype[Any]) -> None:
        """`library`: the module cupy."""
        of = dtype_of(dtype)
        self._library = library
        self._dtype = dtype
        self._wider = numpy_dtype(carrier(of))
        self._values = library.asarray(np.arange(256, dtype=BITS).view(dtype).astype(self._wider))
        if of.kind == "f":
            operation = f"z = to_{of.name}(x)"
            self._round = library.ElementwiseKernel(
                "float32 x", "uint8 z", operation, f"promo_to_{of.name}", preamble=small_float(of)
            )
        else:
            codes = library.asarray(np.arange(256, dtype=BITS).view(self._wider).astype(dtype).view(BITS))
            self._round = lambda numbers: library.take(codes, numbers.view(BITS))

    def widened(self, array: Any) -> Any:
        """An array of the dtype in the wider one."""
        return self._library.take(self._values, array.view(BITS))

    def narrowed(self, array: Any) -> Any:
        """An array that CuPy knows in the dtype: ml_dtypes casts by way of the wider one, too."""
        real = array.real if array.dtype.kind == "c" else array
        return self._round(real.astype(self._wider, copy=False)).view(self._dtype)


@cache
def bytes_of(library: Any, dtype: np.dtype[Any]) -> Bytes:
    """The casts, made once for each dtype."""
    return Bytes(library, dtype)


def recast(library: Any, array: Any, dtype: np.dtype[Any]) -> Any:
    """`array.astype(dtype)` for any two dtypes: a new array."""
    if array.dtype == dtype:
        return bits(array).copy().view(dtype)
    known = bytes_of(library, array.dtype).widened(array) if is_unknown(array.dtype) else array
    return bytes_of(library, dtype).narrowed(known) if is_unknown(dtype) else known.astype(dtype, copy=False)
