"""Every row of `promo_mypy.rules.layers`, executed by PyTorch for every dtype of input and parameters."""

import warnings
from collections.abc import Callable
from typing import Any

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.layers import LAYERS

torch = pytest.importorskip("torch")

DTYPES = ("bool", "uint8", "int8", "int32", "int64", "bfloat16", "float16", "float32", "float64", "complex64")
PARAMETERS = ("float32", "float64", "bfloat16", "float16")

# What layers are made with, by the beginning of their names; none for the others.
ARGUMENTS: dict[str, tuple[object, ...]] = {
    "Linear": (4, 4),
    "Conv": (4, 4, 1),
    "LayerNorm": (4,),
    "RMSNorm": (4,),
    "GroupNorm": (2, 4),
    "BatchNorm": (4,),
    "InstanceNorm": (4,),
    "LocalResponseNorm": (2,),
    "Threshold": (0.1, 2),
    "MaxPool": (2,),
    "AvgPool": (2,),
    "Adaptive": (2,),
    "PixelShuffle": (2,),
    "PixelUnshuffle": (2,),
    "ChannelShuffle": (2,),
    "Upsample": (None, 2),
    "ConstantPad": (1, 0.0),
    "ZeroPad": (1,),
    "ReflectionPad": (1,),
    "ReplicationPad": (1,),
    "CircularPad": (1,),
    "Unflatten": (1, (2, 2)),
    "Fold": ((2, 2), (1, 1)),
    "Unfold": (2,),
}
# Every other one has a dimension for each digit in its name, and two more.
DIMENSIONS = {"PixelShuffle": 2, "PixelUnshuffle": 2, "ChannelShuffle": 2, "Upsample": 2, "Unfold": 2, "Fold": 1}


def made(name: str) -> Any:
    starts = [start for start in ARGUMENTS if name.startswith(start)]
    keywords: dict[str, object] = {"dim": -1} if name.lower().startswith(("softm", "logsoftm")) else {}
    return getattr(torch.nn, name)(*(ARGUMENTS[starts[0]] if starts else ()), **keywords)


def shape(name: str) -> tuple[int, ...]:
    extra = DIMENSIONS.get(name, int(name[-2]) if name.endswith("d") and name[-2].isdigit() else 0)
    if name == "LocalResponseNorm":
        extra = 1
    return (2, 4) + (4,) * extra


def cells(name: str, make: Callable[[str], Any] = made) -> list[tuple[str, str, str, bool]]:
    """Dtype of the parameters, of the input and of the result, and whether the rank stayed; refused ones aside."""
    found = []
    for parameters in PARAMETERS:
        layer = make(name).to(getattr(torch, parameters))
        for mode in (layer, layer.eval()):
            for dtype in DTYPES:
                given = torch.ones(shape(name), dtype=getattr(torch, dtype))
                try:
                    result = mode(given)
                except (RuntimeError, NotImplementedError, ValueError):
                    continue
                found.append((parameters, dtype, str(result.dtype).removeprefix("torch."), result.ndim == given.ndim))
        if not list(layer.parameters()):
            break
    return found


@pytest.mark.parametrize("name", LAYERS)
def test_layer(name: str) -> None:
    layer = LAYERS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measured = cells(name)
    assert {dtype for _, dtype, _, _ in measured} >= {"float32", "float64"}
    wrong = [cell for cell in measured if cell[2] != layer.result(dt.parse(cell[1]), dt.float32).name]
    assert wrong == []
    assert layer.reshaping or all(kept for *_, kept in measured)


def test_an_embedding_is_no_such_layer() -> None:
    """It has the dtype of its table, whatever the integers: a row for it would be found wrong."""
    table = torch.nn.Embedding(4, 4)
    assert table(torch.zeros(2, dtype=torch.int64)).dtype == torch.float32
    assert "Embedding" not in LAYERS
