"""Functions for JAX's arrays, and JAX's own initializers. Source: running dm-haiku 0.0.17, optax 0.2.8, JAX 0.10."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around.tables import Made, Table, every, rows
from promo_mypy.rules.functions.language.choosing import If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, OfArray, Same, Weakening


def floats(names: str) -> Rule:
    """What floats promote to. The functions reject other arrays, or compute them in a dtype of their own."""
    return Weakening(Converted(Promoted(names), "buic=unknown"))


_OF_OPTAX: Final = rows(
    "jax",
    "optax",
    ("l2_loss squared_error log_cosh", "predictions, targets=None", floats("predictions targets")),
    ("huber_loss", "predictions, targets=None, delta=1.0", floats("predictions targets")),
    (
        "cosine_similarity cosine_distance",
        "predictions, targets, epsilon=0.0, axis=-1, where=None",
        floats("predictions targets"),
    ),
    ("softmax_cross_entropy", "logits, labels, axis=-1, where=None", floats("logits labels")),
    ("softmax_cross_entropy_with_integer_labels", "logits, labels, axis=-1, where=None", floats("logits")),
    ("sigmoid_binary_cross_entropy", "logits, labels", floats("logits labels")),
    ("sigmoid_focal_loss", "logits, labels, alpha=None, gamma=2.0", floats("logits labels")),
    ("hinge_loss", "predictor_outputs, targets", floats("predictor_outputs targets")),
    (
        "kl_divergence convex_kl_divergence",
        "log_predictions, targets, axis=-1, where=None",
        floats("log_predictions targets"),
    ),
    ("smooth_labels", "labels, alpha, axis=-1, where=None", floats("labels")),
    ("safe_norm", "x, min_norm, ord=None, axis=None, keepdims=False", floats("x")),
    ("safe_root_mean_squares", "x, min_rms", floats("x")),
    ("global_norm tree.norm tree_utils.tree_l2_norm", "updates", floats("*updates")),
    ("apply_updates", "params, updates", Weakening(OfArray("params"))),  # the leaves of a tree are unknown
    ("incremental_update", "new_tensors, old_tensors, step_size", floats("new_tensors old_tensors")),
)
_LOSSES: Final = {f"optax.losses.{name.removeprefix('optax.')}": name for name in _OF_OPTAX if name.count(".") == 1}

_OF_HAIKU: Final = rows(
    "jax",
    "haiku",
    ("get_parameter get_state", "name, shape, dtype=None, init=None", Asked(Fixed(dt.float32))),
    ("dropout", "rng, rate, x, broadcast_dims=()", Weakening(Converted(Same("x"), "bui=unknown"))),
    ("max_pool avg_pool", "value, window_shape, strides, padding, channel_axis=-1", floats("value")),
    ("one_hot", "x, num_classes, dtype=None", Asked(Fixed(dt.float32))),
)

_INITIALIZERS: Final = "jax.nn.initializers"
INITIALIZER: Final = f"{_INITIALIZERS}.Initializer"
"""The class of what makes the first value of a parameter."""
_OF_INITIALIZERS: Final = rows(
    "jax",
    _INITIALIZERS,
    ("zeros ones", "key, shape, dtype=None, out_sharding=None", Asked(Default("f"))),
    (
        "Initializer.__call__",
        "key, shape, dtype=None, out_sharding=None, *, of_dtype=...",
        Asked(If("of_dtype", Asked(Default("f"), "of_dtype"), Default("f"))),
    ),
)
_SCALED: Final = " ".join(
    f"{kind}_{drawn}" for kind in ("glorot", "he", "kaiming", "lecun", "xavier") for drawn in ("normal", "uniform")
)
_MADE: Final = dict((
    *every(_SCALED, _INITIALIZERS, Made(INITIALIZER, "in_axis=-2, out_axis=-1, batch_axis=(), dtype=None")),
    *every("normal truncated_normal", _INITIALIZERS, Made(INITIALIZER, "stddev=.01, dtype=None, lower=-2., upper=2.")),
    *every("uniform", _INITIALIZERS, Made(INITIALIZER, "scale=0.01, dtype=None")),
    *every("constant", _INITIALIZERS, Made(INITIALIZER, "value, dtype=None")),
    *every("orthogonal delta_orthogonal", _INITIALIZERS, Made(INITIALIZER, "scale=1.0, column_axis=-1, dtype=None")),
    *every("zeros_init ones_init", _INITIALIZERS, Made(INITIALIZER, "dtype=None")),
))  # fmt: skip

TABLE: Final = Table({**_OF_OPTAX, **_OF_HAIKU, **_OF_INITIALIZERS}, _MADE, _LOSSES)
