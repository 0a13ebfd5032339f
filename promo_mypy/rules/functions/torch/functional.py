"""torch.nn.functional. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.choosing import Checked, CheckedIfKnown, If, IfKind, WithDimensions
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed
from promo_mypy.rules.functions.language.promoting import Alike, Operator, Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rank_rules import (
    Broadcast,
    Exactly,
    Kept,
    Multiplied,
)
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Same
from promo_mypy.rules.functions.torch.elementwise import floated
from promo_mypy.rules.functions.torch.normalizing import Normalized
from promo_mypy.rules.functions.torch.shaping import INTS

_X: Final = Same("input")
_SAME_RANK: Final = Kept("input")
#: A 1-d weight removes a dimension, as in a matrix product.
_APPLIED: Final = Multiplied("input", "weight")
FLOATS: Final = "bui=refused c=refused"
NET: Final = Converted(_X, FLOATS)
_BAGGED: Final = Converted(Same("weight"), "int64=int64 buifc=refused")
_CONVOLVED: Final = "input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1"
_TRANSPOSED: Final = "input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1"
_POOLED: Final = "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False"
_MEANT: Final = "input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True"
_MEAN: Final = Converted(_X, "int64=int64 bui=refused c=refused")


def _weighed(names: str) -> Rule:
    return Converted(Alike(names), "b=refused")


_STATISTICS: Final = "running_mean running_var weight bias"
_SOFT: Final = "input, dim=None, _stacklevel=3, dtype=None"

ROWS: Final[Rows] = table(
    "torch",
    ("relu", "input, inplace=False", Converted(_X, "bc=refused"), _SAME_RANK),
    ("relu6", "input, inplace=False", Converted(_X, "bc=refused"), _SAME_RANK),
    (
        "hardtanh",
        "input, min_val=-1.0, max_val=1.0, inplace=False",
        If("min_val", Converted(_X, "uint8=refused bc=refused"), Converted(_X, "bc=refused"), value=-1.0),
        _SAME_RANK,
    ),
    ("silu", "input, inplace=False", Converted(_X, "bui=refused"), _SAME_RANK),
    ("selu mish hardswish hardsigmoid", "input, inplace=False", Converted(_X, FLOATS), _SAME_RANK),
    ("elu celu", "input, alpha=1.0, inplace=False", NET, _SAME_RANK),
    ("hardshrink softshrink", "input, lambd=0.5", NET, _SAME_RANK),
    ("leaky_relu", "input, negative_slope=0.01, inplace=False", NET, _SAME_RANK),
    ("threshold", "input, threshold, value, inplace=False", Converted(_X, "bc=refused"), _SAME_RANK),
    ("rrelu", "input, lower=0.125, upper=0.333, training=False, inplace=False", NET, _SAME_RANK),
    ("prelu", "input, weight", Converted(Alike("input weight"), FLOATS), _SAME_RANK),
    ("gelu", "input, approximate='none'", NET, _SAME_RANK),
    ("softplus", "input, beta=1, threshold=20", NET, _SAME_RANK),
    ("logsigmoid", "input", NET, _SAME_RANK),
    ("sigmoid tanh", "input", floated("input"), _SAME_RANK),
    ("softsign", "input", Converted(_X, "bui=float"), _SAME_RANK),
    ("tanhshrink", "input", Converted(_X, "b=refused ui=float"), _SAME_RANK),
    ("glu", "input, dim=-1", NET, _SAME_RANK),
    (
        "softmax log_softmax",
        _SOFT,
        Converted(Asked(_X), FLOATS),
        _SAME_RANK,
    ),
    ("softmin", _SOFT, CheckedIfKnown(Converted(Asked(_X), FLOATS), Converted(_X, "b=refused")), _SAME_RANK),
    (
        "gumbel_softmax",
        "logits, tau=1, hard=False, eps=1e-10, dim=-1",
        Converted(Same("logits"), FLOATS),
        Kept("logits"),
    ),
    (
        "dropout dropout2d dropout1d dropout3d alpha_dropout",
        "input, p=0.5, training=True, inplace=False",
        NET,
        _SAME_RANK,
    ),
    ("normalize", "input, p=2.0, dim=1, eps=1e-12, out=None", Converted(_X, "bui=refused"), _SAME_RANK),
    ("linear", "input, weight, bias=None", _weighed("input weight bias"), _APPLIED),
    ("bilinear", "input1, input2, weight, bias=None", Alike("input1 input2 weight bias")),
    ("conv1d conv2d conv3d", _CONVOLVED, _weighed("input weight bias"), _SAME_RANK),
    ("conv_transpose1d conv_transpose2d conv_transpose3d", _TRANSPOSED, _weighed("input weight bias"), _SAME_RANK),
    (
        "layer_norm",
        "input, normalized_shape, weight=None, bias=None, eps=1e-05",
        Normalized(NET, "weight bias"),
        _SAME_RANK,
    ),
    ("rms_norm", "input, normalized_shape, weight=None, eps=None", Converted(_X, "bui=refused"), _SAME_RANK),
    ("group_norm", "input, num_groups, weight=None, bias=None, eps=1e-05", Normalized(NET, "weight bias"), _SAME_RANK),
    (
        "batch_norm",
        "input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05",
        Normalized(NET, _STATISTICS),
        _SAME_RANK,
    ),
    (
        "instance_norm",
        "input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1,"
        " eps=1e-05",
        Normalized(NET, _STATISTICS),
        _SAME_RANK,
    ),
    (
        "interpolate",
        "input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None,"
        " antialias=False",
        Converted(_X, "c=refused uint8=uint8 bui=refused"),
        _SAME_RANK,
    ),
    (
        "upsample",
        "input, size=None, scale_factor=None, mode='nearest', align_corners=None",
        Converted(_X, "c=refused uint8=uint8 bui=refused"),
        _SAME_RANK,
    ),
    (
        "upsample_nearest upsample_bilinear",
        "input, size=None, scale_factor=None",
        Converted(_X, "c=refused uint8=uint8 bui=refused"),
        _SAME_RANK,
    ),
    ("pad", "input, pad, mode='constant', value=None", _X, _SAME_RANK),
    (
        "grid_sample",
        "input, grid, mode='bilinear', padding_mode='zeros', align_corners=None",
        Converted(Alike("input grid"), FLOATS),
    ),
    ("affine_grid", "theta, size, align_corners=None", Converted(Same("theta"), FLOATS)),
    (
        "max_pool1d max_pool2d max_pool3d",
        _POOLED,
        If(
            "return_indices",
            Several.of(Converted(_X, "bc=refused"), Fixed(dt.int64)),
            Converted(_X, "bc=refused"),
            True,
        ),
        _SAME_RANK,
    ),
    ("avg_pool1d", _MEANT, _MEAN, _SAME_RANK),
    ("avg_pool2d avg_pool3d", f"{_MEANT}, divisor_override=None", _MEAN, _SAME_RANK),
    (
        "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d",
        "input, output_size",
        Converted(_X, "bui=refused"),
        _SAME_RANK,
    ),
    ("unfold", "input, kernel_size, dilation=1, padding=0, stride=1", Converted(_X, "ui=refused")),
    ("fold", "input, output_size, kernel_size, dilation=1, padding=0, stride=1", Converted(_X, "ui=refused")),
    (
        "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d",
        "input, output_size, return_indices=False",
        If("return_indices", Several.of(NET, Fixed(dt.int64)), NET, True),
        _SAME_RANK,
    ),
    (
        "lp_pool1d lp_pool2d lp_pool3d",
        "input, norm_type, kernel_size, stride=None, ceil_mode=False",
        Converted(_X, "bui=float c=refused"),
        _SAME_RANK,
    ),
    (
        "max_unpool1d max_unpool2d max_unpool3d",
        "input, indices, kernel_size, stride=None, padding=0, output_size=None",
        NET,
        _SAME_RANK,
    ),
    (
        "local_response_norm",
        "input, size, alpha=0.0001, beta=0.75, k=1.0",
        Converted(_X, "int64=float bui=refused c=refused"),
        _SAME_RANK,
    ),
    ("channel_shuffle native_channel_shuffle", "input, groups", _X, _SAME_RANK),
    ("pixel_shuffle", "input, upscale_factor", _X, _SAME_RANK),
    ("pixel_unshuffle", "input, downscale_factor", _X, _SAME_RANK),
    ("one_hot", "tensor, num_classes=-1", Converted(Same("tensor"), "int64=int64 buifc=refused"), Kept("tensor", 1)),
    (
        "embedding",
        "input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False",
        Indexed(Same("weight"), "input", INTS),
        Kept("input", 1),
    ),
    (
        "embedding_bag",
        "input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', sparse=False,"
        " per_sample_weights=None, include_last_offset=False, padding_idx=None",
        # The older order of the arguments is still accepted.
        IfKind("input", "f", Checked(NET, _BAGGED), Indexed(Converted(Same("weight"), FLOATS), "input", INTS)),
        Exactly(2),
    ),
    ("pdist", "input, p=2.0", Converted(_X, "buic=refused bfloat16=refused float16=refused"), Exactly(1)),
    ("cosine_similarity", "x1, x2, dim=1, eps=1e-08", WithDimensions(Converted(Promoted("x1 x2"), FLOATS))),
    (
        "pairwise_distance",
        "x1, x2, p=2.0, eps=1e-06, keepdim=False",
        Converted(Operator("sub", "x1 x2"), "b=refused ui=float c=real"),
    ),
    (
        "scaled_dot_product_attention",
        "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False",
        Converted(Alike("query key value"), FLOATS),
        Broadcast("query key value"),
    ),
    under="nn.functional",
)
