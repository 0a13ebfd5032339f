"""Functions beyond the standard that NumPy, JAX and PyTorch have, if NumPy can compute them simply.

A system has a function if its library has a row for it. Axes and flags are keywords, as in the standard.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_runtime.functions.definitions import EACH, FLOATS, JOIN, Function, entry

_OVER: Final = "x, /, *, axis=None, keepdims=False"
_SUMMED: Final = "x, /, *, axis=None, dtype=None, keepdims=False"

_UNIQUE: Final = "{}(x, return_index=return_index, return_inverse=return_inverse, return_counts=return_counts)"

_ELEMENTWISE: Final[Mapping[str, Function]] = {
    **entry("exp2 cbrt deg2rad rad2deg fabs rint", "x, /", elementwise=True),
    **entry("fmax fmin fmod gcd lcm logaddexp2 float_power", "x1, x2, /", elementwise=True),
    **entry("sinc nan_to_num angle", "x, /"),
    **entry("isposinf isneginf", "x, /", FLOATS),
    **entry("bitwise_count", "x, /", elementwise=True),
    **entry("heaviside", "x1, x2, /", elementwise=True),
    **entry("modf frexp i0", "x, /"),
    **entry("isreal iscomplex", "x, /", JOIN),
    **entry("rsqrt", "x, /", jax="lax.{}(x)", torch="{}(x)"),
    **entry("erf erfc logit", "x, /", jax="scipy.special.{}(x)", torch="{}(x)"),
    **entry("xlogy", "x1, x2, /", jax="scipy.special.{}(x1, x2)", torch="{}(x1, x2)"),
    **entry("isclose allclose", "x1, x2, /, *, rtol=1e-05, atol=1e-08, equal_nan=False", JOIN),
    **entry("array_equal", "x1, x2, /, *, equal_nan=False", JOIN),
    **entry("array_equiv", "x1, x2, /", JOIN),
    **entry("fix", "x, /", jax=""),  # which deprecates it
    **entry("spacing", "x, /", elementwise=True),
    **entry("ldexp", "x1, x2, /", EACH, torch=""),
}

#: Activation functions.
_ACTIVATIONS: Final[Mapping[str, Function]] = {
    **entry("relu sigmoid", "x, /", jax="nn.{}(x)"),
    **entry("relu6 silu softplus selu mish", "x, /", jax="nn.{}(x)", torch="nn.functional.{}(x)"),
    **entry("log_sigmoid", "x, /", jax="nn.{}(x)", torch="nn.functional.logsigmoid(x)"),
    # JAX approximates by default.
    **entry("gelu", "x, /", jax="", torch="nn.functional.{}(x)"),
    **entry("hard_tanh", "x, /", jax="nn.{}(x)", torch="nn.functional.hardtanh(x)"),
    **entry("hard_sigmoid", "x, /", jax="nn.{}(x)", torch="nn.functional.hardsigmoid(x)"),
    **entry("hard_silu", "x, /", jax="nn.{}(x)", torch="nn.functional.hardswish(x)"),
    **entry("soft_sign", "x, /", jax="nn.{}(x)", torch="nn.functional.softsign(x)"),
    **entry("elu celu", "x, /, *, alpha=1.0", jax="nn.{}(x)", torch="nn.functional.{}(x)"),
    **entry("leaky_relu", "x, /, *, negative_slope=0.01", jax="nn.{}(x)", torch="nn.functional.{}(x)"),
    **entry("softmax log_softmax", "x, /, *, axis=-1", jax="nn.{}(x)", torch="{}(x, -1)"),
    **entry("logsumexp", _OVER, jax="nn.{}(x)", torch="{}(x, 0)"),
}

_REDUCTIONS: Final[Mapping[str, Function]] = {
    **entry("nansum nanprod", _SUMMED, within=True),
    **entry("nanmean", _OVER, within=True),
    **entry("nanmax nanmin ptp", _OVER),
    **entry("cumsum cumprod", "x, /, *, axis=None, dtype=None", within=True, torch="{}(x, 0, dtype=dtype)"),
    # PyTorch's median is the lower of the two middle elements.
    **entry("median nanmedian", _OVER, torch=""),
    **entry("nanstd nanvar", "x, /, *, axis=None, correction=0.0, keepdims=False", within=True),
    **entry("nanargmax nanargmin", _OVER, JOIN),
    **entry("nancumsum nancumprod", "x, /, *, axis=None, dtype=None", within=True, dask=""),
    **entry(
        "quantile nanquantile percentile nanpercentile",
        "x, q, /, *, axis=None, keepdims=False",
        numpy="{}(x, q)",
        jax="numpy.{}(x, q)",
        torch="{}(x, q)",
        dask="",
    ),
    **entry("average", "x, /, *, axis=None", dask=""),
    **entry("partition", "x, kth, /, *, axis=-1", numpy="{}(x, 1)", jax="numpy.{}(x, 1)", torch="", dask=""),
    **entry("argpartition", "x, kth, /, *, axis=-1", JOIN, numpy="{}(x, 1)", jax="numpy.{}(x, 1)", torch="", dask=""),
    **entry("digitize", "x1, x2, /, *, right=False", JOIN, dask=""),
    **entry("bincount", "x, /, *, minlength=0", JOIN, dask=""),
    # The edges of NumPy's histogram of bfloat16 have no certain dtype.
    **entry("histogram", "x, /, *, bins=10, range=None, density=None", FLOATS, numpy="", torch="", dask=""),
    **entry("ediff1d unwrap", "x, /", dask=""),
    **entry("lexsort", "arrays, /", EACH, dask=""),
    # JAX interpolates in the dtype of the positions; NumPy, which computes it here, in float64.
    **entry("interp", "x, x1, x2, /", EACH, jax="", dask=""),
    **entry("polyval", "x1, x2, /", dask=""),
    **entry("trapezoid", "x, /, *, dx=1.0, axis=-1", EACH),
    **entry("argwhere flatnonzero", "x, /", JOIN),
    # JAX returns weak arrays for weak arrays, but its row does not state that.
    **entry(
        "unique",
        "x, /, *, return_index=False, return_inverse=False, return_counts=False",
        numpy=_UNIQUE,
        cupy=_UNIQUE,
        jax=f"numpy.{_UNIQUE}",
        dask=f"array.{_UNIQUE}",
        torch="",
    ),
    **entry("union1d", "x1, x2, /"),
    **entry("setdiff1d", "x1, x2, /", JOIN),
    **entry("intersect1d setxor1d", "x1, x2, /", jax=""),
}

_PRODUCTS: Final[Mapping[str, Function]] = {
    **entry("dot inner outer vdot kron", "x1, x2, /"),
    **entry("cross", "x1, x2, /, *, axis=-1"),
    **entry("convolve", "x1, x2, /, *, mode='full'"),
    **entry("correlate", "x1, x2, /, *, mode='valid'"),
    **entry("cov corrcoef", "x, /"),
    **entry("linalg.norm", "x, /, *, ord=None, axis=None, keepdims=False"),
    **entry("linalg.cond", "x, /"),
    # JAX and PyTorch return residuals in cases in which NumPy returns none.
    **entry("linalg.lstsq", "x1, x2, /, *, rcond=None", jax="", torch=""),
    **entry("linalg.multi_dot", "arrays, /"),
    **entry("fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2", "x, /, *, s=None, axes=(-2, -1), norm='backward'"),
    **entry("trace", "x, /, *, offset=0, dtype=None", torch="trace(x)"),
    **entry(
        "einsum",
        "subscripts, /, *operands",
        numpy="einsum(subscripts, *operands)",
        cupy="einsum(subscripts, *operands)",
        jax="numpy.einsum(subscripts, *operands)",
        torch="einsum(subscripts, *operands)",
    ),
}

_ARRANGING: Final[Mapping[str, Function]] = {
    # Whether a weak array of JAX stays weak depends on its shape, but the row of diag is for vectors.
    **entry("diag", "x, /, *, k=0", EACH, jax=""),
    **entry("diagonal", "x, /, *, k=0", EACH),
    **entry("ravel fliplr flipud atleast_1d atleast_2d atleast_3d", "x, /", EACH),
    **entry(
        "swapaxes",
        "x, axis1, axis2, /",
        EACH,
        numpy="{}(x, 0, 1)",
        jax="numpy.{}(x, 0, 1)",
        torch="{}(x, 0, 1)",
    ),
    **entry("diagflat", "x, /, *, k=0", EACH, dask=""),
    **entry(
        "pad",
        "x, pad_width, /, *, mode='constant'",
        EACH,
        numpy="{}(x, 1)",
        jax="numpy.{}(x, 1)",
        torch="",
        dask="",
    ),
    **entry("resize", "x, shape, /", EACH, numpy="{}(x, 2)", jax="numpy.{}(x, 2)", torch="", dask=""),
    **entry("delete", "x, obj, /, *, axis=None", EACH, numpy="{}(x, 0)", jax="numpy.{}(x, 0)", dask=""),
    **entry(
        "split array_split",
        "x, indices_or_sections, /, *, axis=0",
        EACH,
        numpy="{}(x, 3)",
        jax="numpy.{}(x, 3)",
        torch="",
        dask="",
    ),
    **entry(
        "hsplit vsplit dsplit",
        "x, indices_or_sections, /",
        EACH,
        numpy="{}(x, 2)",
        jax="numpy.{}(x, 2)",
        torch="{}(x, 2)",
        dask="",
    ),
    **entry("trim_zeros", "x, /", EACH, dask=""),
    **entry("rot90", "x, /, *, k=1, axes=(0, 1)", EACH),
    **entry("hstack vstack dstack column_stack", "arrays, /"),
    **entry("append", "x1, x2, /, *, axis=None"),
    **entry("insert", "x1, obj, x2, /, *, axis=None", EACH, numpy="{}(x1, 0, x2)", jax="numpy.{}(x1, 0, x2)", dask=""),
    **entry(
        "compress",
        "condition, x, /, *, axis=None",
        EACH,
        numpy="{}(condition, x)",
        jax="numpy.{}(condition, x)",
        dask="array.{}(condition, x)",
    ),
    **entry(
        "extract",
        "condition, x, /",
        EACH,
        numpy="{}(condition, x)",
        jax="numpy.{}(condition, x)",
        dask="array.{}(condition, x)",
    ),
    **entry(
        "choose",
        "indices, arrays, /, *, mode='raise'",
        numpy="{}(indices, arrays)",
        jax="numpy.{}(indices, arrays)",
        dask="",
    ),
    **entry("rollaxis", "x, axis, /, start=0", EACH, numpy="{}(x, 0)", jax="numpy.{}(x, 0)", dask="array.{}(x, 0)"),
    **entry("transpose", "x, /, axes=None", EACH, torch=""),
    **entry("copy", "x, /", EACH),
    **entry("packbits", "x, /, *, axis=None, bitorder='big'", EACH),
    **entry("unpackbits", "x, /, *, axis=None, count=None, bitorder='big'", EACH),
    # JAX computes in the dtype of the indices, even for floats.
    **entry("unravel_index", "x, shape, /", EACH, numpy="{}(x, (2, 2))", jax="", dask="", torch=""),
    **entry(
        "ravel_multi_index",
        "arrays, dims, /, *, mode='raise'",
        EACH,
        numpy="{}(arrays, (4, 4))",
        jax="numpy.{}(arrays, (4, 4))",
        dask="",
    ),
    **entry("tril_indices_from triu_indices_from", "x, /, *, k=0", EACH),
}

#: Functions without array arguments.
_CREATING: Final[Mapping[str, Function]] = {
    **entry(
        "tri", "n, m=None, /, *, k=0, dtype=None",
        numpy="{}(3, dtype=dtype)", jax="numpy.{}(3, dtype=dtype)", dask="array.{}(3, dtype=dtype)",
    ),
    **entry(
        "indices", "dimensions, /, *, dtype=None",
        numpy="{}(3, dtype=dtype)", jax="numpy.{}(3, dtype=dtype)", dask="array.{}(3, dtype=dtype)",
    ),
    # PyTorch returns the indices of triangles as one array.
    **entry(
        "tril_indices triu_indices", "n, /, *, k=0, m=None",
        numpy="{}(3)", jax="numpy.{}(3)", torch="", dask="array.{}(3)",
    ),
    **entry("diag_indices", "n, /, *, ndim=2", numpy="{}(3)", jax="numpy.{}(3)"),
    **entry("bartlett blackman hamming hanning", "m, /", numpy="{}(3)", jax="numpy.{}(3)"),
    **entry("kaiser", "m, beta, /", numpy="{}(3, 1.0)", jax="numpy.{}(3, 1.0)"),
    # PyTorch computes other values for integers.
    **entry(
        "logspace", "start, stop, /, num=50, *, endpoint=True, base=10.0, dtype=None",
        numpy="{}(start, stop, dtype=dtype)", jax="numpy.{}(start, stop, dtype=dtype)", torch="",
    ),
    **entry(
        "geomspace", "start, stop, /, num=50, *, endpoint=True, dtype=None",
        numpy="{}(start, stop, dtype=dtype)", jax="numpy.{}(start, stop, dtype=dtype)",
    ),
}  # fmt: skip

OTHERS: Final[Mapping[str, Function]] = MappingProxyType(
    {**_ELEMENTWISE, **_ACTIVATIONS, **_REDUCTIONS, **_PRODUCTS, **_ARRANGING, **_CREATING}
)
"""Name below the namespace -> function."""
