"""The backend for NumPy and ml_dtypes."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from promo_mypy.rules.dtypes import Shaped
from promo_runtime.backends.base import Backend, Chooser, Joiner
from promo_runtime.backends.numpy_functions import carrier, numpy_function
from promo_runtime.kernels.block_kernels import Kernel
from promo_runtime.kernels.numpy_kernels import Step, kernel, kernel_in_place
from promo_runtime.numpy_dtypes import dtype_of, numpy_dtype

#: Casting this many elements is faster than finding their common shape.
_FEW: Final = 1 << 10


def choose(dtype: np.dtype[Any], condition: Any, one: Any, other: Any) -> Any:
    """numpy.where, which casts while copying."""
    if one.__class__ is other.__class__ is np.ndarray and one.size < _FEW > other.size:
        left = one if one.dtype is dtype else one.astype(dtype)
        return np.where(condition, left, other if other.dtype is dtype else other.astype(dtype))
    out = np.empty(np.broadcast(condition, one, other).shape, dtype)
    np.copyto(out, other, casting="unsafe")
    np.copyto(out, one, casting="unsafe", where=condition)
    return out if out.ndim else out[()]


class NumpyBackend(Backend):
    """The CPU."""

    def __init__(self) -> None:
        super().__init__("numpy", "CPU")

    def dtype(self, array: Any) -> type[Shaped]:
        """The dtype of the rules."""
        return dtype_of(array.dtype)

    def elementwise(self, step: Step) -> Kernel:
        """A ufunc, cast in its buffers."""
        return kernel(step)

    def in_place(self, step: Step) -> Kernel:
        """The same with `out`."""
        return kernel_in_place(step)

    def cast(self, array: Any, dtype: type[Shaped], *, copy: bool = False) -> Any:
        """`astype`."""
        return array.astype(numpy_dtype(dtype), copy=copy)

    def chooser(self, dtype: type[Shaped]) -> Chooser:
        """`where`, which casts no whole operand."""
        return partial(choose, numpy_dtype(dtype))

    def joiner(self, name: str, dtype: type[Shaped], *, casts: bool) -> Joiner:
        """`stack` or `concatenate`, which cast no whole operand."""
        join: Joiner = np.stack if name == "stack" else np.concatenate
        return partial(join, dtype=numpy_dtype(dtype), casting="unsafe") if casts else join

    def function(self, name: str) -> Callable[..., Any]:
        """NumPy's, or the standard's form of it."""
        return numpy_function(name)

    def operand(self, array: Any, dtype: type[Shaped] | None) -> Any:
        """Casts the whole array if necessary."""
        return array if dtype is None else np.asanyarray(array).astype(self.carrier(dtype), copy=False)

    def carrier(self, dtype: type[Shaped]) -> Any:
        """The narrowest dtype that all NumPy functions support."""
        return numpy_dtype(carrier(dtype))

    def creator(self, name: str, dtype: type[Shaped]) -> Callable[..., Any]:
        """NumPy's function of that name."""
        return partial(getattr(np, name), dtype=numpy_dtype(dtype))

    def maker(self, dtype: type[Shaped]) -> Callable[[complex], Any]:
        """The same, without intermediate steps."""
        return partial(np.asarray, dtype=numpy_dtype(dtype))

    def asarray(self, data: Any, dtype: type[Shaped], *, copy: bool | None = None) -> Any:
        """`numpy.asarray`; a Python int that the dtype cannot hold raises OverflowError."""
        return np.asarray(data, dtype=numpy_dtype(dtype), copy=copy)


NUMPY: Final = NumpyBackend()
