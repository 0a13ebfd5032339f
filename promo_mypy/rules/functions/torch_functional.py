"""torch.nn.functional. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.choosing import Checked, If, Several
from promo_mypy.rules.functions.conversions import Converted
from promo_mypy.rules.functions.rows import Rows, Rule, table
from promo_mypy.rules.functions.torch_elementwise import floated
from promo_mypy.rules.functions.vocabulary import (
    Alike,
    Asked,
    Fixed,
    Into,
    Joined,
    Operator,
    Promoted,
    Same,
)

_X: Final = Same("input")
_FLOATS: Final = "bui=refused c=refused"
_NET: Final = Converted(_X, _FLOATS)
_REDUCED: Final = "size_average=None, reduce=None, reduction='mean'"
_CONVOLVED: Final = "input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1"
_TRANSPOSED: Final = "input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1"
_POOLED: Final = "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False"
_MEANT: Final = "input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True"


_MEAN: Final = Converted(_X, "int64=int64 bui=refused c=refused")
_COMPARED: Final = Converted(Promoted("input target"), _FLOATS)


def _weighed(names: str) -> Rule:
    return Converted(Alike(names), "b=refused")


ROWS: Final[Rows] = table(
    "torch",
    ("relu", "input, inplace=False", Converted(_X, "bc=refused")),
    ("relu6", "input, inplace=False", Converted(_X, "bc=refused")),
    ("hardtanh", "input, min_val=-1.0, max_val=1.0, inplace=False", Converted(_X, "uint8=refused bc=refused")),
    ("silu", "input, inplace=False", Converted(_X, "bui=refused")),
    ("selu mish hardswish hardsigmoid", "input, inplace=False", Converted(_X, _FLOATS)),
    ("elu celu", "input, alpha=1.0, inplace=False", _NET),
    ("leaky_relu", "input, negative_slope=0.01, inplace=False", _NET),
    ("threshold", "input, threshold, value, inplace=False", Converted(_X, "bc=refused")),
    ("gelu", "input, approximate='none'", _NET),
    ("softplus", "input, beta=1, threshold=20", _NET),
    ("logsigmoid", "input", _NET),
    ("sigmoid tanh", "input", floated("input")),
    ("softsign tanhshrink", "input", Converted(_X, "b=refused ui=float")),
    ("glu", "input, dim=-1", _NET),
    ("softmax log_softmax softmin", "input, dim=None, _stacklevel=3, dtype=None", Converted(Asked(_X), _FLOATS)),
    ("gumbel_softmax", "logits, tau=1, hard=False, eps=1e-10, dim=-1", Converted(Same("logits"), _FLOATS)),
    ("dropout dropout2d dropout1d dropout3d alpha_dropout", "input, p=0.5, training=True, inplace=False", _NET),
    ("normalize", "input, p=2.0, dim=1, eps=1e-12, out=None", Into(Converted(_X, "bui=refused"))),
    ("linear", "input, weight, bias=None", _weighed("input weight bias")),
    ("bilinear", "input1, input2, weight, bias=None", Alike("input1 input2 weight bias")),
    ("conv1d conv2d conv3d", _CONVOLVED, _weighed("input weight bias")),
    ("conv_transpose1d conv_transpose2d conv_transpose3d", _TRANSPOSED, _weighed("input weight bias")),
    ("layer_norm", "input, normalized_shape, weight=None, bias=None, eps=1e-05", _NET),
    ("rms_norm", "input, normalized_shape, weight=None, eps=None", Converted(_X, "bui=refused")),
    ("group_norm", "input, num_groups, weight=None, bias=None, eps=1e-05", _NET),
    (
        "batch_norm",
        "input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05",
        _NET,
    ),
    (
        "instance_norm",
        "input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1,"
        " eps=1e-05",
        _NET,
    ),
    (
        "interpolate",
        "input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None,"
        " antialias=False",
        Converted(_X, "c=refused uint8=uint8 bui=refused"),
    ),
    (
        "upsample",
        "input, size=None, scale_factor=None, mode='nearest', align_corners=None",
        Converted(_X, "c=refused uint8=uint8 bui=refused"),
    ),
    ("pad", "input, pad, mode='constant', value=None", _X),
    (
        "grid_sample",
        "input, grid, mode='bilinear', padding_mode='zeros', align_corners=None",
        Converted(Alike("input grid"), _FLOATS),
    ),
    ("affine_grid", "theta, size, align_corners=None", Converted(Same("theta"), _FLOATS)),
    (
        "max_pool1d max_pool2d max_pool3d",
        _POOLED,
        If(
            "return_indices",
            Several.of(Converted(_X, "bc=refused"), Fixed(dt.int64)),
            Converted(_X, "bc=refused"),
            True,
        ),
    ),
    ("avg_pool1d", _MEANT, _MEAN),
    ("avg_pool2d avg_pool3d", f"{_MEANT}, divisor_override=None", _MEAN),
    ("adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d", "input, output_size", Converted(_X, "bui=refused")),
    ("unfold", "input, kernel_size, dilation=1, padding=0, stride=1", Converted(_X, "ui=refused")),
    ("fold", "input, output_size, kernel_size, dilation=1, padding=0, stride=1", Converted(_X, "ui=refused")),
    ("pixel_shuffle", "input, upscale_factor", _X),
    ("pixel_unshuffle", "input, downscale_factor", _X),
    ("one_hot", "tensor, num_classes=-1", Converted(Same("tensor"), "int64=int64 buifc=refused")),
    (
        "embedding",
        "input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False",
        Same("weight"),
    ),
    ("cosine_similarity", "x1, x2, dim=1, eps=1e-08", Converted(Promoted("x1 x2"), _FLOATS)),
    (
        "pairwise_distance",
        "x1, x2, p=2.0, eps=1e-06, keepdim=False",
        Converted(Operator("sub", "x1 x2"), "b=refused ui=float c=real"),
    ),
    ("mse_loss", f"input, target, {_REDUCED}, weight=None", _COMPARED),
    (
        "l1_loss",
        f"input, target, {_REDUCED}, weight=None",
        Converted(Operator("sub", "input target"), "bui=refused c=real"),
    ),
    ("smooth_l1_loss", f"input, target, {_REDUCED}, beta=1.0", _COMPARED),
    (
        "huber_loss",
        "input, target, reduction='mean', delta=1.0, weight=None",
        Checked(_NET, Converted(Same("target"), "c=refused")),
    ),
    ("kl_div", f"input, target, {_REDUCED}, log_target=False", Joined.of(_NET, Converted(Same("target"), _FLOATS))),
    ("binary_cross_entropy", f"input, target, weight=None, {_REDUCED}", Converted(Alike("input target"), _FLOATS)),
    (
        "binary_cross_entropy_with_logits",
        f"input, target, weight=None, {_REDUCED}, pos_weight=None",
        Checked(Converted(Same("target"), "bui=refused"), _NET),
    ),
    (
        "cross_entropy",
        "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean',"
        " label_smoothing=0.0",
        _NET,
    ),
    (
        "nll_loss",
        "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'",
        _NET,
    ),
    (
        "scaled_dot_product_attention",
        "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False",
        Converted(Alike("query key value"), _FLOATS),
    ),
    under="nn.functional",
)
