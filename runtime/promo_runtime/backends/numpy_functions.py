"""Functions of the standard that have another form in NumPy, on arrays that are already cast."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_runtime.backends.activations import ACTIVATIONS
from promo_runtime.backends.special_functions import SPECIAL

_ndarray: Final[Any] = np.ndarray


def carrier(dtype: type[dt.Shaped]) -> type[dt.Shaped]:
    """A dtype that holds all values of `dtype` and that every NumPy function supports.

    Sums in float16 overflow and lose digits. LAPACK and the transforms do not support float16.
    """
    strong = dtype.strong
    if strong.kind == "f" and strong.bits < 32:
        return dt.float32
    if strong.kind in "ui" and strong.bits < 8:
        return dt.int8 if strong.kind == "i" else dt.uint8
    return strong


def _reduction(ufunc: np.ufunc, function: Callable[..., Any]) -> Callable[..., Any]:
    reduce: Any = ufunc.reduce  # what NumPy's function calls in the end

    def reduction(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        if x.__class__ is _ndarray:
            return reduce(x, axis, dtype, None, keepdims)
        return _of_subclass(function, x, axis, keepdims, dtype=dtype)

    return reduction


def _of_subclass(function: Callable[..., Any], x: Any, axis: Any, keepdims: bool, **options: Any) -> Any:
    """NumPy's function for array subclasses. Ufuncs ignore the mask of a masked array, and a matrix lacks keepdims."""
    given = {name: value for name, value in options.items() if value is not None}
    return function(x, axis=axis, **({"keepdims": True} if keepdims else {}), **given)


def _mean(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    if x.__class__ is _ndarray:
        return x.mean(axis, dtype, None, keepdims)  # what numpy.mean calls in the end
    return _of_subclass(np.mean, x, axis, keepdims, dtype=dtype)


def _std(x: Any, *, axis: Any = None, correction: float = 0.0, dtype: Any = None, keepdims: bool = False) -> Any:
    if x.__class__ is _ndarray:
        return x.std(axis, dtype, None, correction, keepdims)
    return _of_subclass(np.std, x, axis, keepdims, dtype=dtype, ddof=correction)


def _var(x: Any, *, axis: Any = None, correction: float = 0.0, dtype: Any = None, keepdims: bool = False) -> Any:
    if x.__class__ is _ndarray:
        return x.var(axis, dtype, None, correction, keepdims)
    return _of_subclass(np.var, x, axis, keepdims, dtype=dtype, ddof=correction)


def _reshape(x: Any, shape: Any, *, copy: bool | None = None) -> Any:
    return x.reshape(shape) if copy is None else np.reshape(x, shape, copy=copy)


def _sort(x: Any, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    if not descending:
        return np.sort(x, axis=axis, kind="stable" if stable else None)
    return np.take_along_axis(x, _argsort(x, axis=axis, descending=True, stable=stable), axis=axis)


def _argsort(x: Any, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    if not descending:
        return np.argsort(x, axis=axis, kind="stable" if stable else None)
    # Sorting the reversed array and reversing the result keeps the order of equal elements; NaNs come first.
    backwards = np.flip(_argsort(np.flip(x, axis=axis), axis=axis, stable=stable), axis=axis)
    return x.shape[axis] - 1 - backwards if x.ndim else backwards


def _clip(x: Any, min: Any = None, max: Any = None) -> Any:
    if min is None and max is None:
        return x.copy()
    return x.clip(min, max)  # what numpy.clip calls in the end


def _unique_values(x: Any) -> Any:
    return np.unique(x, equal_nan=False)  # sorted, as in the other libraries


def _diagonal(x: Any, *, k: int = 0) -> Any:
    return np.diagonal(x, k)


def _digitize(x: Any, edges: Any, *, right: bool = False) -> Any:
    if edges.size > 1 and edges[0] > edges[-1]:
        return edges.size - np.searchsorted(edges[::-1], x, side="right" if right else "left")
    return np.searchsorted(edges, x, side="left" if right else "right")


def _ldexp(x: Any, exponents: Any) -> Any:
    return np.ldexp(x, exponents.astype(np.int64) if exponents.dtype == np.uint64 else exponents)


def _tril(x: Any, *, k: int = 0) -> Any:
    return np.tril(_matrices(x), k)


def _triu(x: Any, *, k: int = 0) -> Any:
    return np.triu(_matrices(x), k)


def _matrices(x: Any) -> Any:
    if x.ndim < 2:  # NumPy makes a matrix of a vector
        raise ValueError(f"the array has {x.ndim} dimensions, but a matrix has two")
    return x


NUMPY_FORMS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        **ACTIVATIONS,
        **SPECIAL,
        "sum": _reduction(np.add, np.sum),
        "prod": _reduction(np.multiply, np.prod),
        "max": _reduction(np.maximum, np.max),
        "min": _reduction(np.minimum, np.min),
        "all": _reduction(np.logical_and, np.all),
        "any": _reduction(np.logical_or, np.any),
        "mean": _mean,
        "std": _std,
        "var": _var,
        "reshape": _reshape,
        "sort": _sort,
        "argsort": _argsort,
        "clip": _clip,
        "unique_values": _unique_values,
        "diagonal": _diagonal,
        "digitize": _digitize,
        "ldexp": _ldexp,
        "tril": _tril,
        "triu": _triu,
    }
)
"""Name in the standard -> function."""


def numpy_function(name: str) -> Callable[..., Any]:
    """The function by its name in the standard: "linalg.svd". Raises NotImplementedError if NumPy lacks it."""
    found: Any = NUMPY_FORMS.get(name)
    if found is not None:
        return found  # type: ignore[no-any-return] # an entry of the table
    found = np
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise NotImplementedError(f"NumPy {np.__version__} has no {name}")
    return found  # type: ignore[no-any-return] # NumPy's function of that name
