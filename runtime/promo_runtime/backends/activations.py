"""Activation functions in terms of NumPy's functions. Sources: the documentation of jax.nn and torch.nn.functional."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from promo_runtime.backends.special_functions import erf

#: Fixed point of mean 0 and variance 1 (Klambauer et al. 2017).
_SELU_ALPHA: Final = 1.6732632423543772848170429916717
_SELU_SCALE: Final = 1.0507009873554804934193349852946


def _relu(x: Any) -> Any:
    return np.maximum(x, x.dtype.type(0))


def _relu6(x: Any) -> Any:
    return np.clip(x, x.dtype.type(0), x.dtype.type(6))


def _sigmoid(x: Any) -> Any:
    # exp of a negative number never overflows.
    small = np.exp(-np.abs(x)) if x.dtype.kind != "c" else None
    return 1 / (1 + np.exp(-x)) if small is None else np.where(x >= 0, 1, small) / (1 + small)


def _softplus(x: Any) -> Any:
    return np.log1p(np.exp(x)) if x.dtype.kind == "c" else np.logaddexp(x, x.dtype.type(0))


def _elu(x: Any, *, alpha: float = 1.0) -> Any:
    return np.where(x > 0, x, x.dtype.type(alpha) * np.expm1(np.minimum(x, 0)))


def _celu(x: Any, *, alpha: float = 1.0) -> Any:
    return np.where(x > 0, x, x.dtype.type(alpha) * np.expm1(np.minimum(x, 0) / x.dtype.type(alpha)))


def _leaky_relu(x: Any, *, negative_slope: float = 0.01) -> Any:
    return np.where(x >= 0, x, x.dtype.type(negative_slope) * x)


def _log_softmax(x: Any, *, axis: Any = -1) -> Any:
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def _softmax(x: Any, *, axis: Any = -1) -> Any:
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


def _logsumexp(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    greatest = np.max(x, axis=axis, keepdims=True) if x.dtype.kind != "c" else np.max(x.real, axis=axis, keepdims=True)
    greatest = np.where(np.isfinite(greatest), greatest, 0).astype(greatest.dtype)
    found = np.log(np.sum(np.exp(x - greatest), axis=axis, keepdims=True)) + greatest
    return found if keepdims else np.squeeze(found, axis=axis)


def _hard_sigmoid(x: Any) -> Any:
    return _relu6(x + x.dtype.type(3)) / x.dtype.type(6)


def gelu_of(erf: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function, given the error function of a library."""
    return lambda x: x * (1 + erf(x / x.dtype.type(math.sqrt(2)))) / x.dtype.type(2)


ACTIVATIONS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "relu": _relu,
        "relu6": _relu6,
        "sigmoid": _sigmoid,
        "silu": lambda x: x * _sigmoid(x),
        "softplus": _softplus,
        "mish": lambda x: x * np.tanh(_softplus(x)),
        "log_sigmoid": lambda x: -_softplus(-x),
        "elu": _elu,
        "celu": _celu,
        "selu": lambda x: x.dtype.type(_SELU_SCALE) * _elu(x, alpha=_SELU_ALPHA),
        "gelu": gelu_of(erf),
        "hard_tanh": lambda x: np.clip(x, x.dtype.type(-1 if x.dtype.kind != "u" else 0), x.dtype.type(1)),
        "hard_sigmoid": _hard_sigmoid,
        "hard_silu": lambda x: x * _hard_sigmoid(x),
        "soft_sign": lambda x: x / (1 + np.abs(x)),
        "leaky_relu": _leaky_relu,
        "softmax": _softmax,
        "log_softmax": _log_softmax,
        "logsumexp": _logsumexp,
    }
)
"""Name -> function of an array of a float, complex or integer dtype."""
