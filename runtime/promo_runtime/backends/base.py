"""What a library of arrays does for us: everything that the dispatch asks of one, and of nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from promo_mypy.rules.dtypes import Shaped
from promo_runtime.kernels.block_kernels import Kernel
from promo_runtime.kernels.numpy_kernels import Step

Joiner: TypeAlias = Callable[..., Any]
"""From arrays and `axis=` to the one that they are joined to."""

Chooser: TypeAlias = Callable[[Any, Any, Any], Any]
"""From a condition and two arrays or numbers to the elements of one or the other."""


class BackendError(RuntimeError):
    """A library of arrays that cannot be used; the message says what is missing."""


class Backend(ABC):
    """One library. Its functions take and give its own arrays, with dtypes that the rules have decided."""

    def __init__(self, name: str, device: str) -> None:
        """`device`: "CPU" or "GPU"."""
        self.name: Final = name
        self.device: Final = device

    def __repr__(self) -> str:
        return f"<backend {self.name}>"

    def check_device(self, device: Any) -> None:
        """Raises ValueError for a device that its arrays are not on; None is any."""
        if device not in (None, "cpu"):
            raise ValueError(f'{self.name} has no device {device!r}: its arrays are on "cpu"')

    @abstractmethod
    def dtype(self, array: Any) -> type[Shaped]:
        """The dtype of one of its arrays. Raises UnknownArrayDtypeError."""

    @abstractmethod
    def elementwise(self, step: Step) -> Kernel:
        """The call that computes an elementwise operation, or a product of matrices."""

    @abstractmethod
    def in_place(self, step: Step) -> Kernel:
        """The same, which stores the result in the first operand and returns what now holds it."""

    @abstractmethod
    def cast(self, array: Any, dtype: type[Shaped], *, copy: bool = False) -> Any:
        """The array in that dtype; a new one if `copy`, otherwise only where the dtype differs."""

    @abstractmethod
    def chooser(self, dtype: type[Shaped]) -> Chooser:
        """`where` in that dtype."""

    @abstractmethod
    def joiner(self, name: str, dtype: type[Shaped], *, casts: bool) -> Joiner:
        """`concat` or `stack` in that dtype, as a function of the arrays and of the axis, None for a flat result.

        `casts`: whether any of the arrays has another dtype.
        """

    @abstractmethod
    def function(self, name: str) -> Callable[..., Any]:
        """A function by its name in the standard ("sum", "linalg.svd"), which takes operands of this backend.

        Raises NotImplementedError where it has none.
        """

    @abstractmethod
    def operand(self, array: Any, dtype: type[Shaped] | None) -> Any:
        """An array, also of NumPy, for a function that computes in that dtype; as it is for None."""

    @abstractmethod
    def carrier(self, dtype: type[Shaped]) -> Any:
        """The library's own name of the dtype that functions compute in, where that holds all values of `dtype`."""

    @abstractmethod
    def creator(self, name: str, dtype: type[Shaped]) -> Callable[..., Any]:
        """A function of the standard that makes an array, told that dtype: `zeros`, `full`, ..."""

    def maker(self, dtype: type[Shaped]) -> Callable[[complex], Any]:
        """`asarray` of a number in that dtype."""
        return lambda number: self.asarray(number, dtype)

    @abstractmethod
    def asarray(self, data: Any, dtype: type[Shaped], *, copy: bool | None = None) -> Any:
        """An array of data of NumPy, or of nested sequences of numbers."""

    def to_numpy(self, array: Any) -> np.ndarray[Any, Any]:
        """One of its arrays as NumPy's."""
        return np.asarray(array)

    def item(self, array: Any, index: Any) -> Any:
        """`array[index]`."""
        return array[index]

    def store(self, array: Any, index: Any, value: Any) -> None:
        """`array[index] = value`, of an array of this backend or a number."""
        array[index] = value
