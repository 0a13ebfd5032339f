"""What functions of PyTorch give in a region of `torch.autocast("cpu")`.

There PyTorch casts tensors of float16, bfloat16 and float32 before it computes. So the result is that of the function
for the cast tensors. Measured with PyTorch 2.13: tests/rules/functions/torch/test_autocast.py runs every function here
for every pair of dtypes. A CUDA region has no rows: without a CUDA device PyTorch switches it off.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import operands_in, with_operands
from promo_mypy.rules.functions.language.calls import Call, Unresolved
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.torch.autocast import LOW
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule

DType = type[dt.Shaped]

#: The dtypes that autocast casts. It does not cast float64.
ELIGIBLE: Final = frozenset({dt.float16, dt.bfloat16, dt.float32})


_HALVES: Final = frozenset({dt.float16, dt.bfloat16})


class Cast(Enum):
    """What autocast does with the tensors of a call."""

    NOTHING = "nothing"
    LOWER = "lower"
    """It casts them to the dtype of the region."""
    SINGLE = "single"
    """It casts them to float32."""
    JOINED = "joined"
    """It joins them as outside, but may raise for tensors of the other half precision."""


_NOTHING: Final = (
    "tan arcsin arccos sinh cosh exp expm1 log log1p log2 log10 rsqrt reciprocal erfinv square pow float_power"
    " arctan2 ldexp addcmul addcdiv sum cumsum cumprod nanmean logsumexp softmax log_softmax scatter_add dot vdot"
    " inner mv addmv addr tensordot cross norm linalg.norm linalg.vector_norm linalg.matrix_norm linalg.det"
    " linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.lu_solve linalg.ldl_factor linalg.ldl_factor_ex"
    " linalg.slogdet linalg.solve_ex fft.fftfreq fft.rfftfreq nn.functional.relu nn.functional.relu6"
    " nn.functional.hardtanh nn.functional.silu nn.functional.selu nn.functional.mish nn.functional.hardswish"
    " nn.functional.hardsigmoid nn.functional.elu nn.functional.celu nn.functional.hardshrink"
    " nn.functional.softshrink nn.functional.leaky_relu nn.functional.threshold nn.functional.gelu"
    " nn.functional.softplus nn.functional.logsigmoid nn.functional.sigmoid nn.functional.tanh"
    " nn.functional.softsign nn.functional.tanhshrink nn.functional.softmax nn.functional.log_softmax"
    " nn.functional.softmin nn.functional.dropout nn.functional.normalize nn.functional.layer_norm"
    " nn.functional.rms_norm nn.functional.pad nn.functional.one_hot nn.functional.embedding"
    " nn.functional.cosine_similarity nn.functional.pairwise_distance"
)
_LOWER: Final = (
    "matmul mm addmm einsum linalg.vecdot linalg.matrix_power nn.functional.linear bmm baddbmm addbmm"
    " nn.functional.conv1d nn.functional.conv2d nn.functional.conv3d nn.functional.conv_transpose1d"
    " nn.functional.conv_transpose2d nn.functional.conv_transpose3d nn.functional.scaled_dot_product_attention"
)
_SINGLE: Final = (
    "prod quantile nanquantile trace cdist inverse pinverse svd qr geqrf cholesky cholesky_inverse"
    " triangular_solve linalg.inv linalg.inv_ex linalg.cholesky linalg.cholesky_ex linalg.householder_product"
    " linalg.svd linalg.svdvals linalg.qr linalg.eig linalg.eigvals linalg.eigh linalg.eigvalsh linalg.solve"
    " linalg.lstsq linalg.tensorinv linalg.tensorsolve linalg.matrix_rank linalg.cond fft.fft fft.ifft fft.fft2"
    " fft.ifft2 fft.ifftn fft.rfft fft.ihfft fft.rfft2 fft.rfftn fft.irfft fft.hfft fft.irfft2 fft.irfftn"
    " nn.functional.mse_loss nn.functional.l1_loss nn.functional.smooth_l1_loss nn.functional.huber_loss"
    " nn.functional.kl_div nn.functional.binary_cross_entropy nn.functional.binary_cross_entropy_with_logits"
    " nn.functional.nll_loss nn.functional.multi_margin_loss nn.functional.multilabel_margin_loss"
    " nn.functional.soft_margin_loss nn.functional.cross_entropy"
)
_JOINED: Final = (
    "cat stack hstack vstack column_stack row_stack dstack index_copy roll cartesian_prod combinations"
    " fft.fftshift fft.ifftshift linalg.matrix_exp"
)

#: Function or method -> what autocast does. Others that it may touch are unknown in a region.
ON_CPU: Final[Mapping[str, Cast]] = MappingProxyType(
    {
        name: cast
        for cast, names in (
            (Cast.NOTHING, _NOTHING),
            (Cast.LOWER, _LOWER),
            (Cast.SINGLE, _SINGLE),
            (Cast.JOINED, _JOINED),
        )
        for name in names.split()
    }
)


@rule
class InRegion(Rule):
    """The rule's result for the tensors that autocast casts."""

    rule: Rule
    cast: Cast
    low: DType

    def answer(self, call: Call) -> Answer:
        """A dtype argument is not cast."""
        operands = (operand for argument in call.bound.values() for operand in operands_in(argument))
        dtypes = {operand.dtype for operand in operands if issubclass(operand.dtype, dt.Shaped)}
        target = _target(self.cast, self.low, dtypes)
        if target is None:
            return self.rule.answer(call)
        cast = partial(_cast, target=target)
        bound = {name: with_operands(argument, cast) for name, argument in call.bound.items()}
        return self.rule.answer(replace(call, bound=bound))


def in_region(row: Row, low: DType) -> Row | None:
    """The row of a function in a region whose dtype is `low`; None if it is unknown there."""
    return _in_region(row, low.name)


@lru_cache(maxsize=256)  # rows are compared by identity
def _in_region(row: Row, low: str) -> Row | None:
    cast = ON_CPU.get(row.name)
    if cast is None:
        return None
    if cast is Cast.NOTHING:
        return row
    return Row(row.library, row.name, row.signature, InRegion(row.rule, cast, LOW[low]), row.rank)


def lowered(dtypes: frozenset[DType], low: DType) -> frozenset[DType]:
    """The dtypes of a tensor after a cast to the dtype of the region."""
    return frozenset(low if dtype in ELIGIBLE else dtype for dtype in dtypes)


def _target(cast: Cast, low: DType, dtypes: set[DType]) -> DType | None:
    match cast:
        case Cast.LOWER:
            return low
        case Cast.SINGLE:
            return dt.float32
        case Cast.JOINED if dtypes & (_HALVES - {low}):
            raise Unresolved
        case Cast.JOINED if dt.float32 in dtypes:
            return dt.float32
        case _:
            return None


def _cast(operand: Operand, target: DType) -> Operand:
    return replace(operand, dtype=target) if operand.dtype in ELIGIBLE else operand


#: Layers of other kinds, which are unknown in a region.
UNKNOWN_LAYERS: Final = frozenset(
    {
        *("PReLU", "RNN", "RNNCell", "GRU", "GRUCell", "LSTM", "LSTMCell", "MultiheadAttention", "Bilinear"),
        *("TransformerEncoderLayer", "TransformerEncoder", "TransformerDecoderLayer", "TransformerDecoder"),
        *("ReflectionPad1d", "ReflectionPad2d", "ReplicationPad1d", "ReplicationPad2d"),
        *("MaxPool3d", "AvgPool3d", "AdaptiveAvgPool3d"),
    }
)

#: Layers that autocast casts with their parameters. It does not cast other layers.
LOWERED_LAYERS: Final = frozenset(
    {"Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"}
)
