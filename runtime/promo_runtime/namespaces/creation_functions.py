"""The functions of a namespace that create arrays from shapes and numbers."""

from typing import Any

from promo_runtime.array.space import Space
from promo_runtime.namespaces import creation
from promo_runtime.numpy_dtypes import DTypeLike


class CreationFunctions:
    """Functions that create arrays in the dtypes of a system."""

    def zeros(self: Space, shape: int | tuple[int, ...], *, dtype: DTypeLike | None = None, device: Any = None) -> Any:
        """Zeros; without a dtype they are floats."""
        return creation.created(self, "zeros", (shape,), dtype, "f", device)

    def ones(self: Space, shape: int | tuple[int, ...], *, dtype: DTypeLike | None = None, device: Any = None) -> Any:
        """Ones; without a dtype they are floats."""
        return creation.created(self, "ones", (shape,), dtype, "f", device)

    def empty(self: Space, shape: int | tuple[int, ...], *, dtype: DTypeLike | None = None, device: Any = None) -> Any:
        """Uninitialised values; without a dtype they are floats."""
        return creation.created(self, "empty", (shape,), dtype, "f", device)

    def eye(
        self: Space, n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DTypeLike | None = None,
        device: Any = None,
    ) -> Any:  # fmt: skip
        """Ones on a diagonal; without a dtype they are floats."""
        return creation.created(self, "eye", (n_rows, n_cols), dtype, "f", device, k=k)

    def full(
        self: Space,
        shape: int | tuple[int, ...],
        fill_value: complex,
        *,
        dtype: DTypeLike | None = None,
        device: Any = None,
    ) -> Any:
        """An array filled with a number; by default in the dtype of the number. Raises TypeError for an array without a
        dtype.
        """
        return creation.created(self, "full", (shape, fill_value), dtype, creation.kind_of(type(fill_value)), device)

    def arange(
        self: Space, start: float, /, stop: float | None = None, step: float = 1, *, dtype: DTypeLike | None = None,
        device: Any = None,
    ) -> Any:  # fmt: skip
        """Numbers at equal steps; integers if all arguments are. Raises TypeError for arrays without a dtype."""
        ends = (0, start) if stop is None else (start, stop)
        kind = creation.kind_of(start.__class__, stop.__class__, step.__class__)
        return creation.created(self, "arange", (*ends, step), dtype, kind, device)

    def linspace(
        self: Space, start: complex, stop: complex, /, num: int, *, dtype: DTypeLike | None = None, device: Any = None,
        endpoint: bool = True,
    ) -> Any:  # fmt: skip
        """`num` numbers from start to stop; without a dtype they are floats. Raises TypeError for arrays without a
        dtype.
        """
        kind = creation.kind_of(float, start.__class__, stop.__class__)
        if endpoint:
            return creation.created(self, "linspace", (start, stop, num), dtype, kind, device)
        return creation.created(self, "linspace", (start, stop, num), dtype, kind, device, endpoint=False)

    def zeros_like(self: Space, x: Any, /, *, dtype: DTypeLike | None = None, device: Any = None) -> Any:
        """Zeros in the shape and dtype of x."""
        return creation.alike(self, "zeros_like", x, (), dtype, device)

    def ones_like(self: Space, x: Any, /, *, dtype: DTypeLike | None = None, device: Any = None) -> Any:
        """Ones in the shape and dtype of x."""
        return creation.alike(self, "ones_like", x, (), dtype, device)

    def empty_like(self: Space, x: Any, /, *, dtype: DTypeLike | None = None, device: Any = None) -> Any:
        """Uninitialised values in the shape and dtype of x."""
        return creation.alike(self, "empty_like", x, (), dtype, device)

    def full_like(
        self: Space, x: Any, /, fill_value: complex, *, dtype: DTypeLike | None = None, device: Any = None
    ) -> Any:
        """A number in the shape and dtype of x."""
        return creation.alike(self, "full_like", x, (fill_value,), dtype, device)
