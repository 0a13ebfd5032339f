"""CuPy: operands of several dtypes, and small floats, in one kernel that casts each element when it reads it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Final

import numpy as np

from promo_mypy.rules.dtypes import Shaped
from promo_runtime.backends.base import Chooser, Joiner
from promo_runtime.backends.cuda_kernels import CudaKernel
from promo_runtime.backends.cuda_sources import source
from promo_runtime.backends.cupy_bytes import REGISTERED, bits, is_unknown, recast
from promo_runtime.backends.cupy_functions import cupy_form
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.backends.numpy_functions import carrier
from promo_runtime.backends.standard_backend import StandardBackend
from promo_runtime.kernels.block_kernels import Kernel
from promo_runtime.kernels.numpy_kernels import NoLoopError, Step
from promo_runtime.numpy_dtypes import UnknownArrayDtypeError, dtype_of, numpy_dtype

#: NumPy's scalar types that CuPy lacks.
_LONG: Final = (np.longdouble, np.clongdouble)


class CupyBackend(StandardBackend):
    """The GPU. Operations without a kernel of this package cast the operands and call CuPy's functions.

    As in every CuPy kernel, float32 subnormals are flushed to zero.
    """

    def __init__(self) -> None:
        super().__init__("cupy", "GPU")

    def elementwise(self, step: Step) -> Kernel:
        """A kernel of this package if dtypes mix or are small floats, else CuPy's own."""
        made = source(step)
        if made is not None:
            return CudaKernel(self._library, made, numpy_dtype(step.result))
        if step.row.ufunc is np.positive:  # CuPy has no kernel for bools
            return partial(self._astype, native=self._native(step.result), copy=True)
        if is_unknown(numpy_dtype(step.compute)):
            step = replace(step, compute=carrier(step.compute))
        return self._compiling(super().elementwise(step), step.row.name, NoLoopError)

    def in_place(self, step: Step) -> Kernel:
        """The same, stored in the target."""
        call = self.elementwise(step)

        def stored(target: Any, *operands: Any) -> Any:
            bits(target)[...] = bits(self._astype(call(target, *operands), target.dtype))
            return target

        return stored

    def chooser(self, dtype: type[Shaped]) -> Chooser:
        """CuPy's, of arrays of the result's dtype or of their bytes."""
        return lambda condition, one, other: self._seen_as(
            dtype, self._library.where(condition, bits(self._operand(one, dtype)), bits(self._operand(other, dtype)))
        )

    def joiner(self, name: str, dtype: type[Shaped], *, casts: bool) -> Joiner:  # noqa: ARG002 (casting is cheap)
        """CuPy's, of arrays of the result's dtype or of their bytes."""
        join = self._function(name, {"concat": "concatenate"}.get(name, name))
        return lambda arrays, axis: self._seen_as(
            dtype, join([bits(self._operand(array, dtype)) for array in arrays], axis=axis)
        )

    def function(self, name: str) -> Callable[..., Any]:
        """CuPy's function. For dtypes that CuPy does not know, only functions that move elements work: they get the
        bytes.
        """
        call = self._compiling(cupy_form(self._library, name) or self._function(name), name, NotImplementedError)

        @wraps(call)
        def function(*arguments: Any, **keywords: Any) -> Any:
            unknown = next((each.dtype for each in arguments if is_unknown(getattr(each, "dtype", None))), None)
            if unknown is None:
                return call(*arguments, **keywords)
            made = call(*map(bits, arguments), **keywords)
            several = isinstance(made, tuple | list)
            return type(made)(each.view(unknown) for each in made) if several else made.view(unknown)

        return function

    def creator(self, name: str, dtype: type[Shaped]) -> Callable[..., Any]:
        """CuPy's function, in a wider dtype if CuPy does not know this one."""
        if not is_unknown(numpy_dtype(dtype)):
            return super().creator(name, dtype)
        make = partial(self._function(name), dtype=self.carrier(dtype))
        return lambda *arguments, **keywords: self.cast(make(*arguments, **keywords), dtype)

    def asarray(self, data: Any, dtype: type[Shaped], *, copy: bool | None = None) -> Any:
        """Converted by NumPy, then copied to the GPU as bytes."""
        native = self._native(dtype)
        return self._library.asarray(bits(NUMPY.asarray(data, dtype, copy=copy))).view(native)

    def to_numpy(self, array: Any) -> np.ndarray[Any, Any]:
        """Copied from the GPU."""
        return self._library.asnumpy(bits(array)).view(array.dtype)  # type: ignore[no-any-return] # CuPy has no types

    def item(self, array: Any, index: Any) -> Any:
        """An item of the bytes, if CuPy does not know the dtype."""
        return bits(array)[index].view(array.dtype)

    def store(self, array: Any, index: Any, value: Any) -> None:
        """The same. CuPy casts dtypes that it knows."""
        if not is_unknown(array.dtype):
            array[index] = value if not is_unknown(getattr(value, "dtype", None)) else self._astype(value, array.dtype)
        else:
            bits(array)[index] = bits(self._operand(value, dtype_of(array.dtype)))

    def _compiling(self, call: Callable[..., Any], name: str, error: type[Exception]) -> Callable[..., Any]:
        """The call. It raises that error if CuPy accepts a dtype but its own source does not compile for it."""
        failed = self._library.cuda.compiler.CompileException

        @wraps(call)
        def compiling(*arguments: Any, **keywords: Any) -> Any:
            try:
                return call(*arguments, **keywords)
            except failed as reason:
                given = ", ".join(str(each.dtype) for each in arguments if hasattr(each, "dtype"))
                raise error(
                    f"CuPy {self._library.__version__} has no kernel that computes {name} of {given}"
                ) from reason

        return compiling

    def _seen_as(self, dtype: type[Shaped], array: Any) -> Any:
        """View bytes as the dtype that they stand for; restore bfloat16 if CuPy moved it as float32."""
        wanted = numpy_dtype(dtype)
        return array.view(wanted) if is_unknown(wanted) else self._astype(array, wanted)

    def _astype(self, array: Any, native: Any, *, copy: bool = False) -> Any:
        if array.dtype == native and not copy:
            return array
        return recast(self._library, array, np.dtype(native))

    def _native(self, dtype: type[Shaped]) -> Any:
        found = numpy_dtype(dtype.strong)
        if found.type in _LONG or (found.isbuiltin == REGISTERED and found.itemsize > 1 and found.name != "bfloat16"):
            raise UnknownArrayDtypeError(f"CuPy has no arrays of {dtype.strong.name}")
        return found
