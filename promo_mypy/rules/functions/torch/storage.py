"""PyTorch's sparse tensors, and functions that fill a tensor (`torch.nn.init`). Source: running PyTorch 2.13."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.protocols import RankRule, Rule
from promo_mypy.rules.functions.language.rank_rules import Exactly, Kept, Unstated
from promo_mypy.rules.functions.language.rows import Entry, RankedEntry, Rows, table
from promo_mypy.rules.functions.language.vocabulary import Fixed, Same

_SELF: Final[Rule] = Same("self")
_TENSOR: Final[Rule] = Same("tensor")
_DRAWN: Final = Converted(_TENSOR, "bui=refused")
_ANY_RANK: Final[RankRule] = Unstated()

FUNCTIONS: Final[Rows] = table(
    "torch",
    ("dequantize", "tensor", Fixed(dt.float32), Kept("tensor")),
    (
        "segment_reduce",
        "data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None",
        Converted(Same("data"), "buic=refused"),
        Kept("data"),
    ),
    # A scaler that is not enabled returns the outputs themselves.
    (
        "amp.GradScaler.scale",
        "self, outputs",
        Converted(Same("outputs"), "bui=unknown float16=unknown bfloat16=unknown"),
        Kept("outputs"),
    ),
    ("nn.init.uniform_", "tensor, a=0.0, b=1.0, generator=None", _DRAWN, Kept("tensor")),
    ("nn.init.normal_", "tensor, mean=0.0, std=1.0, generator=None", _DRAWN, Kept("tensor")),
    (
        "nn.init.trunc_normal_",
        "tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None",
        Converted(_TENSOR, "buic=refused"),
        Kept("tensor"),
    ),
    ("nn.init.xavier_uniform_ nn.init.xavier_normal_", "tensor, gain=1.0, generator=None", _DRAWN, Kept("tensor")),
    (
        "nn.init.kaiming_uniform_ nn.init.kaiming_normal_",
        "tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None",
        _DRAWN,
        Kept("tensor"),
    ),
    (
        "nn.init.orthogonal_",
        "tensor, gain=1, generator=None",
        Converted(_TENSOR, "buic=refused float16=refused bfloat16=refused"),
        Kept("tensor"),
    ),
    ("nn.init.zeros_ nn.init.ones_ nn.init.eye_", "tensor", _TENSOR, Kept("tensor")),
    ("nn.init.constant_", "tensor, val", _TENSOR, Kept("tensor")),
)

#: Methods of sparse tensors. Those for the indices of rows and columns may be int32 or int64.
METHODS: Final[tuple[Entry | RankedEntry, ...]] = (
    ("to_sparse", "self, *args, layout=None, blocksize=None, dense_dim=None", _SELF),
    ("to_sparse_csr to_sparse_csc", "self, dense_dim=None", _SELF),
    ("to_sparse_coo coalesce", "self", _SELF),
    ("values _values", "self", _SELF, _ANY_RANK),
    ("indices _indices", "self", Fixed(dt.int64), Exactly(2)),
    ("dequantize", "self", Fixed(dt.float32)),
)
