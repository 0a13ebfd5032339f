"""Functions of the standard that have another form in CuPy.

NumPy's forms are used if they call only NumPy functions, which pass CuPy arrays on to CuPy.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from promo_runtime.backends.activations import gelu_of
from promo_runtime.backends.numpy_functions import NUMPY_FORMS

_Form = Callable[..., Any]


def _unstack(cupy: Any, x: Any, *, axis: int = 0) -> Any:
    return tuple(cupy.moveaxis(x, axis, 0))


def _vecdot(cupy: Any, x1: Any, x2: Any, *, axis: int = -1) -> Any:
    return cupy.sum(cupy.conj(x1) * x2, axis=axis)


def _svdvals(cupy: Any, x: Any) -> Any:
    return cupy.linalg.svd(x, compute_uv=False)


def _diagonal(cupy: Any, x: Any, *, offset: int = 0) -> Any:
    return cupy.diagonal(x, offset, -2, -1)


def _trace(cupy: Any, x: Any, *, offset: int = 0, dtype: Any = None) -> Any:
    return cupy.trace(x, offset, -2, -1, dtype)


def _matrix_norm(cupy: Any, x: Any, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return cupy.linalg.norm(x, ord, (-2, -1), keepdims)


def _vector_norm(cupy: Any, x: Any, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    if axis is None:
        found = cupy.linalg.norm(x.ravel(), ord)
        return found.reshape((1,) * x.ndim) if keepdims else found
    if isinstance(axis, int):
        return cupy.linalg.norm(x, ord, axis, keepdims)
    # For several axes `norm` computes a matrix norm, so the axes are merged.
    axes = tuple(each % x.ndim for each in axis)
    others = tuple(each for each in range(x.ndim) if each not in axes)
    flat = x.transpose(others + axes).reshape(*(x.shape[each] for each in others), -1)
    found = cupy.linalg.norm(flat, ord, -1)
    return cupy.expand_dims(found, tuple(sorted(axes))) if keepdims else found


def _multi_dot(cupy: Any, arrays: Any) -> Any:
    return reduce(cupy.dot, arrays)


def _count_nonzero(cupy: Any, x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    return cupy.sum(x != 0, axis=axis, keepdims=keepdims)


def _cholesky(cupy: Any, x: Any, *, upper: bool = False) -> Any:
    lower = cupy.linalg.cholesky(x)
    return cupy.conj(cupy.swapaxes(lower, -2, -1)) if upper else lower


def _lexsort(cupy: Any, keys: Any) -> Any:
    """CuPy does not sort bfloat16. The order of float32 is the same."""
    found = cupy.stack(keys)
    return cupy.lexsort(found.astype(np.float32) if found.dtype.kind == "V" else found)


def _choose(cupy: Any, a: Any, choices: Any, **options: Any) -> Any:
    return cupy.choose(a, cupy.stack(choices), **options)


def _nanmean(cupy: Any, x: Any, **options: Any) -> Any:
    """CuPy's own source does not compile for bfloat16."""
    if x.dtype.kind != "V":
        return cupy.nanmean(x, **options)
    return cupy.nanmean(x.astype(np.float32), **options).astype(x.dtype)


def _interp(cupy: Any, *arrays: Any, **options: Any) -> Any:
    """CuPy has no common type for bool and bfloat16; NumPy uses float64."""
    return cupy.interp(*(each if each.dtype.kind in "fc" else each.astype(np.float64) for each in arrays), **options)


def _deviation(name: str) -> _Form:
    def function(cupy: Any, x: Any, *, correction: float = 0.0, **options: Any) -> Any:
        return getattr(cupy, name)(x, ddof=correction, **options)

    return function


def _special(name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(import_module("cupyx.scipy.special"), name)(x)


#: Functions that need no module, because CuPy is imported when they are called.
_SPECIAL: Final[Mapping[str, _Form]] = MappingProxyType(
    {"erf": _special("erf"), "erfc": _special("erfc"), "gelu": gelu_of(_special("erf"))}
)
_FORMS: Final[Mapping[str, _Form]] = MappingProxyType(
    {
        "unstack": _unstack,
        "vecdot": _vecdot,
        "linalg.vecdot": _vecdot,
        "linalg.outer": lambda cupy, x1, x2: cupy.outer(x1, x2),
        "linalg.tensordot": lambda cupy, x1, x2, *, axes=2: cupy.tensordot(x1, x2, axes),
        "linalg.svdvals": _svdvals,
        "linalg.diagonal": _diagonal,
        "linalg.trace": _trace,
        "linalg.matrix_norm": _matrix_norm,
        "linalg.vector_norm": _vector_norm,
        "linalg.multi_dot": _multi_dot,
        "linalg.cholesky": _cholesky,
        "count_nonzero": _count_nonzero,
        "interp": _interp,
        "choose": _choose,
        "lexsort": _lexsort,
        "nanmean": _nanmean,
        "nanstd": _deviation("nanstd"),
        "nanvar": _deviation("nanvar"),
    }
)


def cupy_form(cupy: Any, name: str) -> _Form | None:
    """The function by its name in the standard, given the module cupy; None if CuPy's own function is enough."""
    form = _FORMS.get(name)
    if form is None:
        return _SPECIAL.get(name) or NUMPY_FORMS.get(name)

    def function(*arguments: Any, **keywords: Any) -> Any:
        return form(cupy, *arguments, **keywords)

    return function
