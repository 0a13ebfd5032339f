"""Functions beyond the standard that NumPy, JAX and PyTorch have, where NumPy computes them simply.

Each is offered by the systems whose library has a row for it. Axes and flags are keywords, as in the standard.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_runtime.functions import EACH, FLOATS, JOIN, Function, entry

_OVER: Final = "x, /, *, axis=None, keepdims=False"
_SUMMED: Final = "x, /, *, axis=None, dtype=None, keepdims=False"

_ELEMENTWISE: Final[Mapping[str, Function]] = {
    **entry("exp2 cbrt deg2rad rad2deg fabs rint", "x, /", elementwise=True),
    **entry("fmax fmin fmod gcd lcm logaddexp2 float_power", "x1, x2, /", elementwise=True),
    **entry("sinc nan_to_num angle", "x, /"),
    **entry("isposinf isneginf", "x, /", FLOATS),
    **entry("isclose", "x1, x2, /, *, rtol=1e-05, atol=1e-08, equal_nan=False", JOIN),
}

#: What neurons do.
_ACTIVATIONS: Final[Mapping[str, Function]] = {
    **entry("relu sigmoid", "x, /", jax="nn.{}(x)"),
    **entry("relu6 silu softplus selu mish", "x, /", jax="nn.{}(x)", torch="nn.functional.{}(x)"),
    **entry("log_sigmoid", "x, /", jax="nn.{}(x)", torch="nn.functional.logsigmoid(x)"),
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
    # The median of PyTorch is the lower of two elements in the middle.
    **entry("median nanmedian", _OVER, torch=""),
    **entry("argwhere", "x, /", JOIN),
}

_PRODUCTS: Final[Mapping[str, Function]] = {
    **entry("dot inner outer vdot kron", "x1, x2, /"),
    **entry("cross", "x1, x2, /, *, axis=-1"),
    **entry("trace", "x, /, *, offset=0, dtype=None", torch="trace(x)"),
    **entry(
        "einsum",
        "subscripts, /, *operands",
        numpy="einsum(subscripts, *operands)",
        jax="numpy.einsum(subscripts, *operands)",
        torch="einsum(subscripts, *operands)",
    ),
}

_ARRANGING: Final[Mapping[str, Function]] = {
    # Whether a weak array of JAX stays weak depends on its shape, and the row of diag speaks of vectors.
    **entry("diag", "x, /, *, k=0", EACH, jax=""),
    **entry("diagonal", "x, /, *, k=0", EACH),
    **entry("ravel fliplr flipud atleast_1d atleast_2d atleast_3d", "x, /", EACH),
    **entry(
        "swapaxes", "x, axis1, axis2, /", EACH,
        numpy="{}(x, 0, 1)", jax="numpy.{}(x, 0, 1)", torch="{}(x, 0, 1)",
    ),
    **entry("hstack vstack dstack", "arrays, /"),
}  # fmt: skip

OTHERS: Final[Mapping[str, Function]] = MappingProxyType(
    {**_ELEMENTWISE, **_ACTIVATIONS, **_REDUCTIONS, **_PRODUCTS, **_ARRANGING}
)
"""Name below the namespace -> function."""
