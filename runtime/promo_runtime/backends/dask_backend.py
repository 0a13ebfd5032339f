"""Dask: every function builds a graph. NumPy computes its blocks with the same kernels as NumPy arrays."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from promo_mypy.rules.dtypes import Shaped
from promo_runtime.backends.base import Backend, Chooser, Joiner
from promo_runtime.backends.numpy_backend import choose
from promo_runtime.backends.numpy_functions import carrier
from promo_runtime.kernels.block_kernels import Kernel
from promo_runtime.kernels.numpy_kernels import Step, kernel, product_dtypes
from promo_runtime.numpy_dtypes import dtype_of, numpy_dtype

#: Name in the standard -> Dask's name, if it differs.
_NAMES: Final = {"permute_dims": "transpose", "concat": "concatenate"}

#: Keyword of the standard -> Dask's name for it.
_KEYWORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        **{name: {"correction": "ddof"} for name in ("std", "var", "nanstd", "nanvar")},
        "diagonal": {"k": "offset"},
    }
)
#: Keyword that Dask lacks -> the only value that it supports.
_FIXED: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "count_nonzero": {"keepdims": False},
        "choose": {"mode": "raise"},
        "ptp": {"keepdims": False},
        "linalg.cholesky": {"upper": False},
        "linalg.qr": {"mode": "reduced"},
    }
)

#: Functions that Dask computes differently: estimated from chunks, along one axis only, or between given bounds.
_COMPUTED_DIFFERENTLY: Final = frozenset({"percentile", "nancumsum", "nancumprod", "histogram", "delete", "insert"})


def _called(name: str, function: Kernel, *arguments: Any, **keywords: Any) -> Any:
    fixed, names = _FIXED.get(name, {}), _KEYWORDS.get(name, {})
    for keyword, value in fixed.items():
        if keywords.pop(keyword, value) != value:
            raise NotImplementedError(f"Dask has no {name} except with {keyword}={value!r}")
    return function(*arguments, **{names.get(keyword, keyword): value for keyword, value in keywords.items()})


class DaskBackend(Backend):
    """Lazy: Dask computes when the caller requests it."""

    def __init__(self) -> None:
        super().__init__("dask", "CPU")
        self._dask: Final = import_module("dask.array")

    def dtype(self, array: Any) -> type[Shaped]:
        """The declared dtype."""
        return dtype_of(array.dtype)

    def elementwise(self, step: Step) -> Kernel:
        """Block by block. @ multiplies blocks and adds the products, in a dtype in which NumPy multiplies matrices."""
        if step.row.operation == "matmul":
            return partial(self._matrix_product, *product_dtypes(step))
        return partial(self._blockwise, kernel(step), numpy_dtype(step.result))

    def in_place(self, step: Step) -> Kernel:
        """Dask's arrays are immutable: the result is a new array."""
        call = self.elementwise(step)
        return lambda target, *operands: call(target, *operands).astype(target.dtype)

    def cast(self, array: Any, dtype: type[Shaped], *, copy: bool = False) -> Any:
        """`astype`; a graph needs no copy."""
        del copy
        return array.astype(numpy_dtype(dtype))

    def chooser(self, dtype: type[Shaped]) -> Chooser:
        """Block by block."""
        result = numpy_dtype(dtype)
        return partial(self._blockwise, partial(choose, result), result)

    def joiner(self, name: str, dtype: type[Shaped], *, casts: bool) -> Joiner:  # noqa: ARG002 (casting is cheap)
        """Casts block by block."""
        join, native = self._function(name), numpy_dtype(dtype)

        def joined(arrays: Sequence[Any], axis: int | None) -> Any:
            cast = [self._dask.asarray(array).astype(native) for array in arrays]
            if axis is None:
                cast, axis = [array.reshape(-1) for array in cast], 0
            return join(cast, axis=axis)

        return joined

    def function(self, name: str) -> Callable[..., Any]:
        """Dask's function of that name, lazy. It raises NotImplementedError for a keyword that Dask lacks."""
        return partial(_called, name, self._function(name))

    def operand(self, array: Any, dtype: type[Shaped] | None) -> Any:
        """Casts block by block."""
        graph = self._dask.asarray(array)
        return graph if dtype is None else graph.astype(self.carrier(dtype))

    def carrier(self, dtype: type[Shaped]) -> Any:
        """As in NumPy, which computes the blocks."""
        return numpy_dtype(carrier(dtype))

    def creator(self, name: str, dtype: type[Shaped]) -> Callable[..., Any]:
        """Dask's function of that name. Raises NotImplementedError if Dask lacks it."""
        return partial(self._function(name), dtype=numpy_dtype(dtype))

    def asarray(self, data: Any, dtype: type[Shaped], *, copy: bool | None = None) -> Any:
        """A graph over the data."""
        del copy
        return self._dask.asarray(data, dtype=numpy_dtype(dtype))

    def _blockwise(self, call: Kernel, dtype: Any, *operands: Any) -> Any:
        return self._dask.core.elemwise(call, *operands, dtype=dtype)

    def _matrix_product(self, compute: Any, result: Any, one: Any, other: Any) -> Any:
        product = self._dask.matmul(self._dask.asarray(one).astype(compute), self._dask.asarray(other).astype(compute))
        return product.astype(result)

    def _function(self, name: str) -> Callable[..., Any]:
        found: Any = None if name in _COMPUTED_DIFFERENTLY else self._dask
        for part in _NAMES.get(name, name).split("."):
            found = getattr(found, part, None)
        if found is None:
            raise NotImplementedError(f"Dask has no {name}")
        return found  # type: ignore[no-any-return] # Dask's function of that name
