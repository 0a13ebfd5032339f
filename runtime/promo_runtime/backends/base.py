"""The interface of backends: all functions of an array library that the dispatch needs."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from promo_mypy.rules.dtypes import Shaped
from promo_runtime.kernels.block_kernels import Kernel
from promo_runtime.kernels.numpy_kernels import Step

Joiner: TypeAlias = Callable[..., Any]
"""Joins arrays along `axis=`."""

Chooser: TypeAlias = Callable[[Any, Any, Any], Any]
"""Chooses elements of two arrays or numbers by a condition."""


class BackendError(RuntimeError):
    """An array library that cannot be used. The message states what is missing."""


class Backend(ABC):
    """One library. Its functions take and return its own arrays. The rules decide all dtypes before."""

    def __init__(self, name: str, device: str) -> None:
        """`device`: "CPU" or "GPU"."""
        self.name: Final = name
        self.device: Final = device

    def __repr__(self) -> str:
        return f"<backend {self.name}>"

    def check_device(self, device: Any) -> None:
        """Raises ValueError for a device that the library does not use; None allows any."""
        if device not in (None, "cpu"):
            raise ValueError(f'{self.name} has no device {device!r}: its arrays are on "cpu"')

    @abstractmethod
    def dtype(self, array: Any) -> type[Shaped]:
        """The dtype of one of its arrays. Raises UnknownArrayDtypeError."""

    @abstractmethod
    def elementwise(self, step: Step) -> Kernel:
        """The function that computes an elementwise operation or a matrix product."""

    @abstractmethod
    def in_place(self, step: Step) -> Kernel:
        """The same, but it stores the result in the first operand and returns the array that holds it."""

    @abstractmethod
    def cast(self, array: Any, dtype: type[Shaped], *, copy: bool = False) -> Any:
        """The array in that dtype: a new array if `copy` is true or if the dtype differs."""

    @abstractmethod
    def chooser(self, dtype: type[Shaped]) -> Chooser:
        """`where` in that dtype."""

    @abstractmethod
    def joiner(self, name: str, dtype: type[Shaped], *, casts: bool) -> Joiner:
        """`concat` or `stack` in that dtype, as a function of the arrays and of the axis, None for a flat result.

        `casts`: whether an array has another dtype.
        """

    @abstractmethod
    def function(self, name: str) -> Callable[..., Any]:
        """A function by its name in the standard ("sum", "linalg.svd"), which takes operands of this backend.

        Raises NotImplementedError if the library lacks it.
        """

    @abstractmethod
    def operand(self, array: Any, dtype: type[Shaped] | None) -> Any:
        """Convert an array, also a NumPy array, for a function that computes in that dtype; None keeps it."""

    @abstractmethod
    def carrier(self, dtype: type[Shaped]) -> Any:
        """The library's dtype in which functions compute, which holds all values of `dtype`."""

    @abstractmethod
    def creator(self, name: str, dtype: type[Shaped]) -> Callable[..., Any]:
        """A creation function of the standard with that dtype: `zeros`, `full`, ..."""

    def maker(self, dtype: type[Shaped]) -> Callable[[complex], Any]:
        """`asarray` of a number in that dtype."""
        return lambda number: self.asarray(number, dtype)

    @abstractmethod
    def asarray(self, data: Any, dtype: type[Shaped], *, copy: bool | None = None) -> Any:
        """An array from NumPy data, or from nested sequences of numbers."""

    def to_numpy(self, array: Any) -> np.ndarray[Any, Any]:
        """A NumPy array with the values of one of its arrays."""
        return np.asarray(array)

    def item(self, array: Any, index: Any) -> Any:
        """`array[index]`."""
        return array[index]

    def store(self, array: Any, index: Any, value: Any) -> None:
        """`array[index] = value`, for an array of this backend or a number."""
        array[index] = value
