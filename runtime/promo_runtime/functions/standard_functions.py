"""The functions of the array API standard 2025.12 besides operators and creation, and the calls that decide their
dtypes.

A call is written out if a library's name or arguments differ from the standard's. A library without such a
function has "", and its systems lack it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_runtime.functions.definitions import EACH, FLOATS, JOIN, TRUTH, Function, entry

_OVER: Final = "x, /, *, axis=None, keepdims=False"
_SUMMED: Final = "x, /, *, axis=None, dtype=None, keepdims=False"
_CUMULATED: Final = "x, /, *, axis=None, dtype=None, include_initial=False"
_SPREAD: Final = "x, /, *, axis=None, correction=0.0, keepdims=False"
_SORTED: Final = "x, /, *, axis=-1, descending=False, stable=True"
_AXIS: Final = "x, /, *, n=None, axis=-1, norm='backward'"
_AXES: Final = "x, /, *, s=None, axes=None, norm='backward'"

_ELEMENTWISE: Final[Mapping[str, Function]] = {
    **entry("acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10 sin sinh sqrt tan tanh", "x, /",
            elementwise=True),
    **entry("reciprocal square sign floor ceil trunc conj", "x, /", elementwise=True),
    **entry("isfinite isinf isnan", "x, /", JOIN, elementwise=True),
    **entry("signbit", "x, /", FLOATS, elementwise=True),
    **entry("logical_not", "x, /", TRUTH, elementwise=True),
    **entry("atan2 copysign hypot logaddexp nextafter", "x1, x2, /", elementwise=True),
    **entry("maximum minimum", "x1, x2, /", elementwise=True),
    **entry("logical_and logical_or logical_xor", "x1, x2, /", TRUTH, elementwise=True),
    **entry("round real imag", "x, /"),
    **entry("clip", "x, /, min=None, max=None"),
}  # fmt: skip

_REDUCTIONS: Final[Mapping[str, Function]] = {
    **entry("sum prod", _SUMMED, within=True),
    **entry("cumulative_sum", _CUMULATED, within=True, torch="cumsum(x, 0, dtype=dtype)"),
    **entry("cumulative_prod", _CUMULATED, within=True, torch="cumprod(x, 0, dtype=dtype)"),
    **entry("mean", _OVER, within=True),
    **entry("std var", _SPREAD, within=True, torch="{}(x, correction=0)"),
    **entry("max min", _OVER, torch="a{}(x)"),
    **entry("all any", _OVER, TRUTH),
    **entry("count_nonzero argmax argmin", _OVER, JOIN),
    **entry("diff", "x, /, *, axis=-1, n=1, prepend=None, append=None"),
}  # fmt: skip

_SEARCHING: Final[Mapping[str, Function]] = {
    **entry("nonzero", "x, /", JOIN, torch="nonzero(x, as_tuple=True)"),
    **entry("searchsorted", "x1, x2, /, *, side='left', sorter=None", JOIN),
    **entry("isin", "x1, x2, /, *, invert=False", JOIN),
    **entry("sort", _SORTED, torch="sort(x)[0]"),
    **entry("argsort", _SORTED, JOIN),
    **entry("unique_values", "x, /", torch="unique(x)"),
    **entry("unique_counts", "x, /", jax="numpy.unique(x, return_counts=True)", torch="unique(x, return_counts=True)"),
    **entry("unique_inverse", "x, /", jax="numpy.unique(x, return_inverse=True)",
            torch="unique(x, return_inverse=True)"),
    # PyTorch has no indices of first occurrences: they get the dtype of its other indices.
    **entry("unique_all", "x, /", jax="numpy.unique(x, return_index=True, return_inverse=True, return_counts=True)",
            torch="unique(x, return_inverse=True, return_counts=True)[0, 1, 1, 2]"),
}  # fmt: skip

_ARRANGING: Final[Mapping[str, Function]] = {
    **entry("broadcast_arrays", "*arrays", EACH, kept=True),
    **entry("broadcast_to", "x, /, shape", EACH, kept=True),
    **entry("expand_dims squeeze", "x, /, axis", EACH, kept=True),
    **entry("flip", "x, /, *, axis=None", EACH, kept=True),
    **entry("matrix_transpose", "x, /", EACH, kept=True),
    **entry("meshgrid", "*arrays, indexing='xy'", EACH, kept=True),
    **entry("moveaxis", "x, source, destination, /", EACH, kept=True),
    **entry("permute_dims", "x, /, axes", EACH, kept=True),
    **entry("repeat", "x, repeats, /, *, axis=None", EACH, kept=True),
    **entry("reshape", "x, /, shape, *, copy=None", EACH, kept=True),
    **entry("roll", "x, /, shift, *, axis=None", EACH, kept=True),
    **entry("take", "x, indices, /, *, axis=None", EACH, kept=True),
    **entry("take_along_axis", "x, indices, /, *, axis=-1", EACH, kept=True),
    **entry("tile", "x, repetitions, /", EACH, kept=True),
    **entry("tril triu", "x, /, *, k=0", EACH, kept=True),
    **entry("unstack", "x, /, *, axis=0", EACH, kept=True),
}

_PRODUCTS: Final[Mapping[str, Function]] = {
    **entry("tensordot linalg.tensordot", "x1, x2, /, *, axes=2", torch="tensordot(x1, x2)"),
    **entry("vecdot linalg.vecdot", "x1, x2, /, *, axis=-1", torch=""),
    **entry("linalg.matmul", "x1, x2, /"),
    **entry("linalg.outer", "x1, x2, /", torch="outer(x1, x2)"),
    **entry("linalg.cross", "x1, x2, /, *, axis=-1"),
    **entry("linalg.matrix_transpose", "x, /", EACH, kept=True),
}

_LINALG: Final[Mapping[str, Function]] = {
    **entry("linalg.cholesky", "x, /, *, upper=False"),
    **entry("linalg.det linalg.inv linalg.svdvals linalg.eigvalsh linalg.slogdet linalg.eigh", "x, /"),
    **entry("linalg.eig linalg.eigvals", "x, /"),
    **entry("linalg.diagonal", "x, /, *, offset=0", EACH, torch="diagonal(x)"),
    **entry("linalg.matrix_norm", "x, /, *, keepdims=False, ord='fro'"),
    **entry("linalg.vector_norm", "x, /, *, axis=None, keepdims=False, ord=2"),
    **entry(
        "linalg.matrix_power",
        "x, n, /",
        numpy="{}(x, n)",
        torch="{}(x, n)",
        array_api_strict="{}(x, n)",
        jax="numpy.{}(x, n)",
    ),
    **entry("linalg.matrix_rank", "x, /, *, rtol=None", JOIN),
    **entry("linalg.pinv", "x, /, *, rtol=None"),
    **entry("linalg.qr", "x, /, *, mode='reduced'"),
    **entry("linalg.solve", "x1, x2, /"),
    **entry("linalg.svd", "x, /, *, full_matrices=True"),
    **entry("linalg.trace", "x, /, *, offset=0, dtype=None", torch="trace(x)"),
}

_FFT: Final[Mapping[str, Function]] = {
    **entry("fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft", _AXIS),
    **entry("fft.fftn fft.ifftn fft.rfftn fft.irfftn", _AXES),
    **entry("fft.fftshift fft.ifftshift", "x, /, *, axes=None", EACH),
}

STANDARD: Final[Mapping[str, Function]] = MappingProxyType(
    {
        **_ELEMENTWISE, **_REDUCTIONS, **_SEARCHING, **_ARRANGING, **_PRODUCTS, **_LINALG, **_FFT,
    }
)  # fmt: skip
"""Name below the namespace -> function."""
