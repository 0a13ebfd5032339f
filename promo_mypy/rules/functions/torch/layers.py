"""The dtypes that layers and losses of `torch.nn` accept and return.

A layer with parameters rejects inputs of another dtype than theirs. So its result has the dtype of its input
whenever there is a result. Measured with PyTorch 2.13: tests/plugin/layers/test_layers.py executes every row for
every dtype. None of this holds inside an autocast region.
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from promo_mypy.rules import dtypes as dt

#: A result that is a tuple: True stands for a tensor, False for any other value, a nested tuple for a tuple.
Parts = tuple["bool | Parts", ...]


class Parameters(Enum):
    """What the parameters of a layer ask of its input."""

    NOTHING = "nothing"
    """The layer has no parameters, or casts them."""
    SAME = "same"
    """The same dtype."""
    NARROWER = "narrower"
    """The same dtype. Parameters of float32 also take float16 and bfloat16."""
    TABLE = "table"
    """The input holds row numbers. The result has the dtype of the parameters."""


class Layer(NamedTuple):
    """The dtype behaviour of a layer.

    Attributes:
        refused: the dtypes that it rejects whatever its parameters and mode: kinds ("bui") and names ("int32").
        parameters: what its parameters ask of the input.
        inexact: it turns integers into the default dtype.
        reshaping: it may change the rank.
        more: it takes further arguments. They have the dtype of the first argument or do not matter.
        alike: how many arguments must have equal dtypes, the arrays in a tuple included.
        parts: the parts of its result, if it returns more than one tensor.
    """

    refused: str = ""
    parameters: Parameters = Parameters.NOTHING
    inexact: bool = False
    reshaping: bool = False
    more: bool = False
    alike: int = 1
    parts: Parts = ()

    def result(
        self, dtype: type[dt.Shaped], default: type[dt.Shaped], parameters: type[dt.Shaped] | None = None
    ) -> type[dt.Shaped] | None:
        """The dtype of the result for an input of `dtype`, if PyTorch's default dtype is `default`.

        None if it is unknown: it may depend on `parameters`, the dtype of the parameters, which is None if unknown.
        """
        if self.parameters is Parameters.TABLE:
            return parameters
        return default if self.inexact and not issubclass(dtype, dt.Inexact) else dtype

    def rejects(self, dtype: type[dt.Shaped]) -> bool:
        """Whether it rejects an input of `dtype`, whatever its parameters are."""
        return any(dtype.name == each or (each not in dt.DTYPES and dtype.kind in each) for each in self._refused)

    def rejects_beside(self, dtype: type[dt.Shaped], parameters: type[dt.Shaped]) -> bool:
        """Whether it rejects an input of `dtype` because its parameters are of another dtype."""
        match self.parameters:
            case Parameters.SAME:
                return dtype is not parameters
            case Parameters.NARROWER:
                return dtype is not parameters and (parameters is not dt.float32 or dtype not in _NARROWER)
            case _:
                return False

    @property
    def _refused(self) -> list[str]:
        return self.refused.split()


_NARROWER: Final = frozenset({dt.float16, dt.bfloat16})

_WEIGHTED: Final = Layer("bui", Parameters.SAME)
_STATE: Final = _WEIGHTED._replace(reshaping=True, more=True, alike=2, parts=(True, True))
_ATTENTION: Final = Layer("buic", Parameters.SAME, more=True)

#: Names of classes -> their behaviour.
_ROWS: Final[Mapping[str, Layer]] = {
    "Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d": _WEIGHTED,
    "PReLU": Layer("buic", Parameters.SAME),
    "LayerNorm GroupNorm BatchNorm1d BatchNorm2d BatchNorm3d": Layer("buic", Parameters.NARROWER),
    "InstanceNorm1d InstanceNorm2d InstanceNorm3d": Layer("buic"),
    "RMSNorm SiLU": Layer("bui"),
    "Identity Dropout Dropout1d Dropout2d Dropout3d AlphaDropout PixelShuffle PixelUnshuffle ChannelShuffle": Layer(),
    "ConstantPad1d ConstantPad2d ZeroPad1d ZeroPad2d CircularPad1d CircularPad2d": Layer(),
    "ReflectionPad1d ReflectionPad2d ReplicationPad1d ReplicationPad2d": Layer("b"),
    "ReLU ReLU6 Threshold Hardtanh MaxPool1d MaxPool2d MaxPool3d": Layer("bc"),
    "LeakyReLU ELU SELU CELU GELU Mish GLU Softplus Softshrink Hardshrink Hardswish Hardsigmoid": Layer("buic"),
    "LogSigmoid Softmax LogSoftmax Softmin": Layer("buic"),
    "AvgPool1d AvgPool2d AvgPool3d": Layer("buc int8 int16 int32"),
    "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d": Layer("bui"),
    "Upsample": Layer("bic uint16 uint32 uint64"),
    "Sigmoid Tanh": Layer(inexact=True),
    "Softsign Tanhshrink": Layer("b", inexact=True),
    "LocalResponseNorm": Layer("buc int8 int16 int32", inexact=True),
    "Flatten Unflatten": Layer(reshaping=True),
    "Fold Unfold": Layer("ui", reshaping=True),
    "RNN GRU LSTMCell": _STATE,
    "RNNCell GRUCell": _WEIGHTED._replace(more=True, alike=2),
    "Bilinear": Layer("buic", Parameters.SAME, more=True, alike=2),
    "LSTM": _STATE._replace(parts=(True, (True, True))),
    "MultiheadAttention": _ATTENTION._replace(reshaping=True, alike=3, parts=(True, False)),
    "TransformerEncoderLayer TransformerEncoder": _ATTENTION,
    "TransformerDecoderLayer TransformerDecoder": _ATTENTION._replace(alike=2),
    "Embedding EmbeddingBag": Layer("bufc int8 int16", Parameters.TABLE, reshaping=True, more=True),
}

#: Name of the class -> its behaviour.
LAYERS: Final[Mapping[str, Layer]] = MappingProxyType(
    {name: layer for names, layer in _ROWS.items() for name in names.split()}
)

#: Arguments of a layer that may leave it without parameters.
OPTIONAL_PARAMETERS: Final = frozenset({"affine", "elementwise_affine", "track_running_stats", "_weight"})

#: Method of a module -> the dtype to which it casts the parameters of the module and of all modules in it.
CASTS: Final[Mapping[str, type[dt.Shaped]]] = MappingProxyType(
    {"half": dt.float16, "bfloat16": dt.bfloat16, "float": dt.float32, "double": dt.float64}
)

#: Methods of a module that cast its parameters if they are given a dtype or a tensor.
CASTS_TO: Final = frozenset({"to", "type"})

#: Methods that return the module and keep its dtypes.
KEEPS: Final = frozenset({"cpu", "cuda", "xpu", "train", "eval", "requires_grad_", "share_memory"})

#: Methods of a module that may change the dtypes in it in any other way.
CHANGES: Final = frozenset({"apply", "_apply", "to_empty", "register_parameter", "insert"})


class Loss(NamedTuple):
    """A module that calls a function of `torch.nn.functional` with its input and target.

    Attributes:
        function: its name there.
        weight: the position of the argument `weight`, which the module keeps; None if the dtype does not depend on it.
    """

    function: str
    weight: int | None = None


#: Name of the class -> its behaviour.
LOSSES: Final[Mapping[str, Loss]] = MappingProxyType(
    {
        "MSELoss": Loss("mse_loss"),
        "L1Loss": Loss("l1_loss"),
        "SmoothL1Loss": Loss("smooth_l1_loss"),
        "HuberLoss": Loss("huber_loss"),
        "BCELoss": Loss("binary_cross_entropy"),
        "BCEWithLogitsLoss": Loss("binary_cross_entropy_with_logits"),
        "KLDivLoss": Loss("kl_div"),
        "NLLLoss": Loss("nll_loss", weight=0),
        "MultiMarginLoss": Loss("multi_margin_loss", weight=2),
        "MultiLabelMarginLoss": Loss("multilabel_margin_loss"),
        "SoftMarginLoss": Loss("soft_margin_loss"),
        "PoissonNLLLoss": Loss("poisson_nll_loss"),
        "CrossEntropyLoss": Loss("cross_entropy", weight=0),
    }
)
