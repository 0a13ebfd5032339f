"""The dtypes that layers and losses of `torch.nn` return.

A layer with parameters rejects inputs of another dtype than theirs. So its result has the dtype of its input
whenever there is a result. Measured with PyTorch 2.13: tests/plugin/transforms/test_layers.py executes every row for
every dtype. None of this holds inside an autocast region.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from promo_mypy.rules import dtypes as dt

#: A result that is a tuple: True stands for a tensor, False for any other value, a nested tuple for a tuple.
Parts = tuple["bool | Parts", ...]


class Layer(NamedTuple):
    """The dtype behaviour of a layer.

    Attributes:
        inexact: it turns integers into the default dtype.
        reshaping: it may change the rank.
        more: it takes further arguments. They have the dtype of the first argument or do not matter.
        parts: the parts of its result, if it returns more than one tensor.
    """

    inexact: bool = False
    reshaping: bool = False
    more: bool = False
    parts: Parts = ()

    def result(self, dtype: type[dt.Shaped], default: type[dt.Shaped]) -> type[dt.Shaped]:
        """The dtype of the result for an input of `dtype`, if PyTorch's default dtype is `default`."""
        return default if self.inexact and not issubclass(dtype, dt.Inexact) else dtype


_SAME: Final = (
    *("Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "PReLU"),
    *("LayerNorm", "GroupNorm", "RMSNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d"),
    *("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"),
    *("Identity", "ReLU", "ReLU6", "LeakyReLU", "ELU", "SELU", "CELU", "GELU", "SiLU", "Mish", "GLU", "Threshold"),
    *("Softplus", "Softshrink", "Hardshrink", "Hardswish", "Hardsigmoid", "Hardtanh", "LogSigmoid"),
    *("Softmax", "LogSoftmax", "Softmin", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout"),
    *("MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d"),
    *("AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d"),
    *("PixelShuffle", "PixelUnshuffle", "ChannelShuffle", "Upsample"),
    *("ConstantPad1d", "ConstantPad2d", "ZeroPad1d", "ZeroPad2d", "ReflectionPad1d", "ReflectionPad2d"),
    *("ReplicationPad1d", "ReplicationPad2d", "CircularPad1d", "CircularPad2d"),
)
_INEXACT: Final = ("Sigmoid", "Tanh", "Softsign", "Tanhshrink", "LocalResponseNorm")
_RESHAPING: Final = ("Flatten", "Unflatten", "Fold", "Unfold")
_STATE: Final = Layer(reshaping=True, more=True, parts=(True, True))

#: Name of the class -> its behaviour.
LAYERS: Final[Mapping[str, Layer]] = MappingProxyType(
    {
        **dict.fromkeys(_SAME, Layer()),
        **dict.fromkeys(_INEXACT, Layer(inexact=True)),
        **dict.fromkeys(_RESHAPING, Layer(reshaping=True)),
        **dict.fromkeys(("RNN", "GRU", "LSTMCell"), _STATE),
        **dict.fromkeys(("RNNCell", "GRUCell"), Layer(more=True)),
        "LSTM": _STATE._replace(parts=(True, (True, True))),
        "MultiheadAttention": _STATE._replace(parts=(True, False)),
        **dict.fromkeys(("TransformerEncoderLayer", "TransformerEncoder"), Layer(more=True)),
        **dict.fromkeys(("TransformerDecoderLayer", "TransformerDecoder"), Layer(more=True)),
    }
)


class Loss(NamedTuple):
    """A module that calls a function of `torch.nn.functional` with its input and target.

    Attributes:
        function: its name there.
        weighted: whether the module may have a weight that affects the dtype. A call does not show it.
    """

    function: str
    weighted: bool = False


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
        "NLLLoss": Loss("nll_loss"),
        "CrossEntropyLoss": Loss("cross_entropy", weighted=True),
    }
)
