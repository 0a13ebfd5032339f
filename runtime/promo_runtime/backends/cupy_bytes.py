"""Support dtypes of ml_dtypes that CuPy does not know on the GPU, as views of bytes.

CuPy supports only views, slices and items of such arrays. Their values are looked up in tables of all 256
bytes, measured from the casts of ml_dtypes; a float is rounded to one of them in a kernel, an integer by a table.
"""

from functools import cache
from typing import Any

import numpy as np

from promo_runtime.backends.cuda_floats import small_float
from promo_runtime.backends.numpy_functions import carrier
from promo_runtime.numpy_dtypes import dtype_of, numpy_dtype

BITS = np.dtype(np.uint8)
#: The value of `isbuiltin` for a dtype that a package registered.
REGISTERED = 2


def is_unknown(dtype: Any) -> bool:
    """Whether CuPy does not know the dtype. It knows all dtypes of several bytes, including bfloat16."""
    return isinstance(dtype, np.dtype) and dtype.itemsize == 1 and dtype.isbuiltin == REGISTERED


def bits(array: Any) -> Any:
    """The array, or its bytes if CuPy does not know the dtype."""
    return array.view(BITS) if is_unknown(getattr(array, "dtype", None)) else array


class Bytes:
    """Casts from and to one of these dtypes."""

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
        """Cast an array of the dtype to the wider one."""
        return self._library.take(self._values, array.view(BITS))

    def narrowed(self, array: Any) -> Any:
        """Cast an array that CuPy knows to the dtype, through the wider dtype as in ml_dtypes."""
        real = array.real if array.dtype.kind == "c" else array
        return self._round(real.astype(self._wider, copy=False)).view(self._dtype)


@cache
def bytes_of(library: Any, dtype: np.dtype[Any]) -> Bytes:
    """The casts, created once for each dtype."""
    return Bytes(library, dtype)


def recast(library: Any, array: Any, dtype: np.dtype[Any]) -> Any:
    """`array.astype(dtype)` for any two dtypes: a new array."""
    if array.dtype == dtype:
        return bits(array).copy().view(dtype)
    known = bytes_of(library, array.dtype).widened(array) if is_unknown(array.dtype) else array
    return bytes_of(library, dtype).narrowed(known) if is_unknown(dtype) else known.astype(dtype, copy=False)
