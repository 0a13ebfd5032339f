"""What NumPy's functions return besides the dtype: a scalar or an array, or an ndarray for any library's array."""

from typing import Final

SCALAR_OR_ARRAY: Final = frozenset(
    {
        "choose",
        "corrcoef",
        "cov",
        "einsum",
        "inner",
        "trace",
        "trapezoid",
        "vdot",
        "vecdot",
        *(f"linalg.{name}" for name in ("cond", "det", "matrix_norm", "matrix_rank", "slogdet", "trace", "vecdot")),
    }
)
"""Names below `numpy`. Results of `dot` and `@` count as arrays."""

CONVERTING: Final = frozenset(
    ["array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "asarray_chkfinite", "require"]
)
"""Functions that convert any library's array to an ndarray and keep its dtype. Source: Dask, PyTorch, array-api-strict.
"""

CASTING_SCALARS: Final = frozenset(
    (
        "place",
        "putmask",
        "take",
        "put",
        "repeat",
        "split",
        "array_split",
        "hsplit",
        "vsplit",
        "dsplit",
        "insert",
        "delete",
    )
)
"""Functions that cast a scalar to the dtype of the array that they write into, or to an index, but not an array."""

INDICES: Final = {
    "take": "indices", "put": "ind", "repeat": "repeats", "insert": "obj", "delete": "obj", "choose": "a",
    "unravel_index": "indices", "at": "indices",
}  # fmt: skip
"""Function, or method of ufuncs -> the parameter for which NumPy's stubs, too, reject floats and complex numbers."""

ALSO_OF_NUMBERS: Final = frozenset({"clip", "dot", "fix", "inner", "nan_to_num", "round", "sinc", "vdot"})
"""Functions that return a scalar for Python numbers, as ufuncs do."""

SHAPED_LIKE: Final = dict.fromkeys(("percentile", "quantile", "nanpercentile", "nanquantile"), "q")
"""Function -> the parameter whose dimensions the result has, besides those of the array that are left."""

ARRAY_IF_KEPT: Final = frozenset({"median", "nanmedian", *SHAPED_LIKE})
"""Functions that return an array for `keepdims=True`, for a scalar, too. The other reductions return a scalar then."""

MAKING: Final = frozenset(
    ("array", "asarray", "asanyarray", "ascontiguousarray", "zeros", "ones", "empty", "full", "zeros_like", "ones_like",
     "empty_like", "full_like", "arange", "linspace", "eye", "identity", "stack", "concatenate", "where", "select")
)  # fmt: skip
"""Functions that always return arrays, never scalars."""

CONTRACTING: Final = frozenset(
    ("dot", "inner", "vdot", "vecdot", "matmul", "tensordot", "einsum", "trapezoid", "trace", "norm", "sum", "prod",
     "mean", "std", "var", "min", "max", "amin", "amax", "ptp", "median", "average", "percentile", "quantile", "nansum",
     "nanprod", "nanmean", "nanstd", "nanvar", "nanmin", "nanmax", "nanmedian", "nanpercentile", "nanquantile", "all",
     "any", "argmin", "argmax", "count_nonzero")
)  # fmt: skip
"""Functions and methods that remove dimensions: for a 1-d array they return a scalar."""

KEEPING_OPERATIONS: Final = frozenset({"add", "sub", "mul", "floordiv", "mod", "pow"})
"""Operations for which NumPy's stubs keep the dtype of an array if the other operand is an int or bool. Source: the
overloads of `numpy.ndarray`.
"""
