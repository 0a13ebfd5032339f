"""Use libraries through the array API standard: CuPy, and array-api-strict as a test of our calls."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final

import numpy as np

from promo_mypy.rules.dtypes import ORDINARY, Shaped
from promo_runtime.backends.base import Backend, Chooser, Joiner
from promo_runtime.backends.numpy_functions import carrier
from promo_runtime.kernels.block_kernels import Kernel
from promo_runtime.kernels.numpy_kernels import Step
from promo_runtime.numpy_dtypes import UnknownArrayDtypeError, dtype_of, numpy_dtype


class StandardBackend(Backend):
    """Casts the operands, then computes: each operand of another dtype is copied in the dtype of the computation."""

    def __init__(self, name: str, device: str) -> None:
        """`name`: the name of the module with the functions."""
        super().__init__(name, device)
        self._library: Final = import_module(name)
        self._dtypes: Final = {
            getattr(self._library, dtype.name): dtype for dtype in ORDINARY if hasattr(self._library, dtype.name)
        }

    def check_device(self, device: Any) -> None:
        """Checks against the library's own devices."""
        own = getattr(self._library.empty(0), "device", None)
        if device not in (None, own):
            raise ValueError(f"{self.name} has no device {device!r}: its arrays are on {own!r}")

    def dtype(self, array: Any) -> type[Shaped]:
        """CuPy uses NumPy's dtypes; other libraries have their own objects."""
        if isinstance(array.dtype, np.dtype):
            return dtype_of(array.dtype)
        return self._dtypes[array.dtype]

    def elementwise(self, step: Step) -> Kernel:
        """The library's function, on operands of one dtype."""
        return partial(self._computed, self._function(*step.row.names), step)

    def in_place(self, step: Step) -> Kernel:
        """The same, stored in the target."""
        call = self.elementwise(step)

        def stored(target: Any, *operands: Any) -> Any:
            target[...] = self._astype(call(target, *operands), target.dtype)
            return target

        return stored

    def cast(self, array: Any, dtype: type[Shaped], *, copy: bool = False) -> Any:
        """`astype`."""
        return self._astype(array, self._native(dtype), copy=copy)

    def chooser(self, dtype: type[Shaped]) -> Chooser:
        """The library's function, on arrays of the result's dtype."""
        return lambda condition, one, other: self._library.where(
            condition, self._operand(one, dtype), self._operand(other, dtype)
        )

    def joiner(self, name: str, dtype: type[Shaped], *, casts: bool) -> Joiner:  # noqa: ARG002 (casting is cheap)
        """The library's function, on arrays of the result's dtype."""
        join = self._function(name, {"concat": "concatenate"}.get(name, name))
        return lambda arrays, axis: join([self.cast(array, dtype) for array in arrays], axis=axis)

    def function(self, name: str) -> Callable[..., Any]:
        """The library's function of that name."""
        return self._function(name)

    def operand(self, array: Any, dtype: type[Shaped] | None) -> Any:
        """Casts the whole array."""
        return array if dtype is None else self._astype(array, self.carrier(dtype))

    def carrier(self, dtype: type[Shaped]) -> Any:
        """As in NumPy: the dtype that every function supports."""
        return self._native(carrier(dtype))

    def creator(self, name: str, dtype: type[Shaped]) -> Callable[..., Any]:
        """The library's function of that name."""
        return partial(self._function(name), dtype=self._native(dtype))

    def asarray(self, data: Any, dtype: type[Shaped], *, copy: bool | None = None) -> Any:
        """The library's function, on Python numbers or a NumPy array."""
        if isinstance(data, np.ndarray | np.generic):  # through Python lists: not every library reads NumPy arrays
            data = data.astype(numpy_dtype(dtype)).tolist()
        return self._library.asarray(data, dtype=self._native(dtype), copy=copy)

    def _computed(self, function: Callable[..., Any], step: Step, *operands: Any) -> Any:
        result = function(*(self._operand(operand, step.compute) for operand in operands))
        return self._astype(result, self._native(step.result))

    def _operand(self, operand: Any, dtype: type[Shaped]) -> Any:
        if isinstance(operand, bool | int | float | complex | np.generic):
            number = operand.item() if isinstance(operand, np.generic) else operand
            return self._library.asarray(number, dtype=self._native(dtype))
        return self.cast(operand, dtype)

    def _astype(self, array: Any, native: Any, *, copy: bool = False) -> Any:
        if array.dtype == native and not copy:
            return array
        method = getattr(array, "astype", None)
        return self._library.astype(array, native) if method is None else method(native)

    def _native(self, dtype: type[Shaped]) -> Any:
        native = getattr(self._library, dtype.strong.name, None)
        if native is not None:
            return native
        raise UnknownArrayDtypeError(f"{self.name} has no arrays of {dtype.strong.name}")

    def _function(self, *names: str) -> Callable[..., Any]:
        for name in names:
            found: Any = self._library
            for part in name.split("."):
                found = getattr(found, part, None)
            if found is not None:
                return found  # type: ignore[no-any-return] # the library's function of that name
        raise NotImplementedError(f"{self.name} has no {names[0]}")
