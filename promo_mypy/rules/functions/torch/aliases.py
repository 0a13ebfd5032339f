"""The names under which PyTorch has a function once more. Source: running PyTorch 2.13."""

from collections.abc import Mapping
from typing import Final

from promo_mypy.rules.functions.language.rows import named

_OF_LAYERS: Final = (
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d layer_norm group_norm rms_norm dropout"
    " alpha_dropout prelu rrelu hardshrink pixel_shuffle pixel_unshuffle channel_shuffle native_channel_shuffle"
    " avg_pool1d adaptive_avg_pool1d max_pool1d max_pool2d max_pool3d bilinear cosine_similarity"
    " pairwise_distance pdist"
)
#: The functions with an underscore write into their argument, and return it.
_WRITING: Final = "relu elu celu selu leaky_relu threshold rrelu"

ALIASES: Final[Mapping[str, str]] = {
    **named(
        "absolute=abs negative=neg subtract=sub multiply=mul divide=div true_divide=div fix=trunc"
        " asin=arcsin acos=arccos atan=arctan asinh=arcsinh acosh=arccosh atanh=arctanh atan2=arctan2 clip=clamp"
        " not_equal=ne less=lt less_equal=le greater=gt greater_equal=ge concat=cat concatenate=cat ger=outer"
        " special.expit=sigmoid special.erf=erf special.erfinv=erfinv special.logit=logit special.gammaln=lgamma"
        " special.log1p=log1p special.exp2=exp2 special.xlogy=xlogy special.digamma=digamma linalg.matmul=matmul"
        " linalg.diagonal=diagonal special.expm1=expm1 special.erfc=erfc special.i0=i0 special.psi=digamma"
        " special.sinc=sinc special.round=round special.logsumexp=logsumexp special.softmax=softmax"
        " special.log_softmax=log_softmax special.multigammaln=mvlgamma special.polygamma=polygamma"
        " special.gammainc=igamma special.gammaincc=igammac matrix_power=linalg.matrix_power"
        " matrix_exp=linalg.matrix_exp"
    ),
    **{name: f"nn.functional.{name}" for name in _OF_LAYERS.split()},
    **{f"nn.functional.{name}_": f"nn.functional.{name}" for name in _WRITING.split()},
}
"""Name -> name of the row; both below torch."""
