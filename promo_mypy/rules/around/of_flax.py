"""Layers and parameters of flax, of both APIs: linen and nnx. Source: running flax 0.12.8.

A layer without `dtype` computes in what its inputs and its parameters promote to. The rows assume the parameters that
the layer makes. A program may cast them, so such layers are marked with `Made.parameters`.
"""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around.of_jax import floats
from promo_mypy.rules.around.tables import Made, Table, rows
from promo_mypy.rules.functions.language.choosing import If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.vocabulary import (
    Asked,
    Default,
    Dtypes,
    Fixed,
    OfArray,
    Same,
    Strong,
    Weakening,
)


def _asked(otherwise: Rule) -> Rule:
    return If("of_dtype", Asked(Default("f"), "of_dtype"), otherwise)


_WITH_PARAMETERS: Final = If(
    "of_param_dtype", Strong(Dtypes("inputs of_param_dtype")), Strong(Promoted("inputs", also="float32"))
)
_COMPUTED: Final = _asked(_WITH_PARAMETERS)
_EMBEDDED: Final = _asked(If("of_param_dtype", Asked(Default("f"), "of_param_dtype"), Fixed(dt.float32)))
_DROPPED: Final = Weakening(Converted(Same("inputs"), "bui=unknown"))
_OPTIONS: Final = "*, of_dtype=..., of_param_dtype=..."
_LAYER: Final = f"inputs, /, {_OPTIONS}"
_NORM: Final = f"inputs, /, use_running_average=None, mask=None, {_OPTIONS}"

_DTYPES: Final = "dtype=None, param_dtype=None"
_INITS: Final = "kernel_init=None, bias_init=None"
_SCALES: Final = "use_bias=True, use_scale=True, bias_init=None, scale_init=None"
_WINDOW: Final = "padding='SAME', input_dilation=1, kernel_dilation=1, feature_group_count=1, use_bias=True, mask=None"

#: Class -> the signature of its constructor, and the signature and rule of the calls of a layer.
_LINEN: Final = {
    "Dense": (f"features, use_bias=True, {_DTYPES}, precision=None, {_INITS}", _LAYER, _COMPUTED),
    "DenseGeneral": (
        f"features, axis=-1, batch_dims=(), use_bias=True, {_DTYPES}, {_INITS}, precision=None", _LAYER, _COMPUTED,
    ),
    "Conv": (
        f"features, kernel_size, strides=1, {_WINDOW}, {_DTYPES}, precision=None, {_INITS}", _LAYER, _COMPUTED,
    ),
    "ConvTranspose": (
        "features, kernel_size, strides=None, padding='SAME', kernel_dilation=None, use_bias=True, mask=None, "
        f"{_DTYPES}, precision=None, {_INITS}, transpose_kernel=False", _LAYER, _COMPUTED,
    ),
    "Embed": (f"num_embeddings, features, {_DTYPES}, embedding_init=None", _LAYER, _EMBEDDED),
    "LayerNorm": (f"epsilon=1e-06, {_DTYPES}, {_SCALES}", _NORM, _COMPUTED),
    "RMSNorm": (f"epsilon=1e-06, {_DTYPES}, use_scale=True, scale_init=None", _NORM, _COMPUTED),
    "GroupNorm": (f"num_groups=32, group_size=None, epsilon=1e-06, {_DTYPES}, {_SCALES}", _NORM, _COMPUTED),
    "BatchNorm": (
        f"use_running_average=None, axis=-1, momentum=0.99, epsilon=1e-05, {_DTYPES}, {_SCALES}", _NORM, _COMPUTED,
    ),
}  # fmt: skip
_NNX: Final = {
    "Linear": (f"in_features, out_features, *, use_bias=True, {_DTYPES}, precision=None, {_INITS}", _LAYER, _COMPUTED),
    "LinearGeneral": (
        f"in_features, out_features, *, axis=-1, batch_axis=None, use_bias=True, {_DTYPES}, {_INITS}, precision=None",
        _LAYER, _COMPUTED,
    ),
    "Conv": (
        f"in_features, out_features, kernel_size, strides=1, *, {_WINDOW}, {_DTYPES}, precision=None, {_INITS}",
        _LAYER, _COMPUTED,
    ),
    "Embed": (f"num_embeddings, features, *, {_DTYPES}, embedding_init=None", _LAYER, _EMBEDDED),
    "LayerNorm": (f"num_features, *, epsilon=1e-06, {_DTYPES}, {_SCALES}", _NORM, _COMPUTED),
    "RMSNorm": (f"num_features, *, epsilon=1e-06, {_DTYPES}, use_scale=True, scale_init=None", _NORM, _COMPUTED),
    "GroupNorm": (
        f"num_features, num_groups=32, *, group_size=None, epsilon=1e-06, {_DTYPES}, {_SCALES}", _NORM, _COMPUTED,
    ),
}  # fmt: skip
_VARIABLE: Final = "flax.nnx.Variable"
_VARIABLES: Final = ("Variable", "Param", "BatchStat", "Cache", "Intermediate")
_SETTING: Final = "rate, broadcast_dims=(), deterministic=None, rng_collection=None, *, rngs=None, name=None"

_MODULES: Final = (("flax.linen", _LINEN, "name=None"), ("flax.nnx", _NNX, "rngs=None"))


def _calls() -> dict[str, Row]:
    found: dict[str, Row] = {}
    for module, layers, _ in _MODULES:
        for name, (_, called, rule) in layers.items():
            found |= rows("jax", f"{module}.{name}", ("__call__", called, rule))
    return found


_ROWS: Final = {
    **_calls(),
    **rows(
        "jax",
        "flax.linen",
        ("Dropout.__call__", "inputs, deterministic=None, rng=None", _DROPPED),
        ("max_pool avg_pool", "inputs, window_shape, strides=None, padding='VALID'", floats("inputs")),
    ),
    **rows(
        "jax",
        "flax.nnx",
        ("Dropout.__call__", "inputs, *, deterministic=None, rngs=None", _DROPPED),
        ("Variable.value Variable.get_value Variable.__getitem__", "*, of_value=...", OfArray("of_value")),
        (" ".join(_VARIABLES), "value", OfArray("value")),
    ),
}
_MADE: Final = {
    **{
        f"{module}.{name}": Made(
            f"{module}.{name}", f"{text}{'' if '*' in text else ', *'}, {more}", parameters=True
        )
        for module, layers, more in _MODULES
        for name, (text, _, _) in layers.items()
    },
    **{f"flax.{api}.Dropout": Made(f"flax.{api}.Dropout", _SETTING) for api in ("linen", "nnx")},
    **{f"flax.nnx.{name}": Made(_VARIABLE, "value", parameters=True) for name in _VARIABLES},
}  # fmt: skip

_OF_JAX: Final = (
    "celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax logsumexp "
    "one_hot relu relu6 selu sigmoid silu soft_sign softmax softplus standardize swish tanh"
)
_INITIALIZERS: Final = (
    "constant delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform kaiming_normal kaiming_uniform "
    "lecun_normal lecun_uniform normal ones ones_init orthogonal truncated_normal uniform xavier_normal "
    "xavier_uniform zeros zeros_init"
)
#: Functions of JAX that flax only names.
_PASSED_ON: Final = {
    f"flax.{api}{module}.{name}": f"jax.nn{module}.{name}"
    for module, names in (("", _OF_JAX), (".initializers", _INITIALIZERS))
    for api in ("linen", "nnx")
    for name in names.split()
}

TABLE: Final = Table(_ROWS, _MADE, passed_on=_PASSED_ON)
