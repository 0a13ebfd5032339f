"""Layers of `torch.nn` to the dtype that they return.

A layer with parameters refuses inputs of another dtype than theirs, so that its result has the dtype of its input
whenever there is a result. Measured with PyTorch 2.13: tests/plugin/transforms/test_layers.py executes every row for
every dtype. Inside an autocast region none of this holds.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from promo_mypy.rules import dtypes as dt


class Layer(NamedTuple):
    """What a layer does: `inexact` ones turn integers into the default dtype, `reshaping` ones change the rank."""

    inexact: bool = False
    reshaping: bool = False

    def result(self, dtype: type[dt.Shaped], default: type[dt.Shaped]) -> type[dt.Shaped]:
        """The dtype of the result for an input of `dtype`, where the default dtype of PyTorch is `default`."""
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

#: Name of the class -> what it does.
LAYERS: Final[Mapping[str, Layer]] = MappingProxyType(
    {
        **dict.fromkeys(_SAME, Layer()),
        **dict.fromkeys(_INEXACT, Layer(inexact=True)),
        **dict.fromkeys(_RESHAPING, Layer(reshaping=True)),
    }
)
