"""Every row of `rules.functions.torch.layers`, executed by PyTorch for every dtype of input and parameters."""

import warnings
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.torch import regions
from promo_mypy.rules.functions.torch.layers import CASTS, LAYERS, LOSSES, Layer, Parts
from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

torch = imported("torch")

DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
)
PARAMETERS = ("float32", "float64", "bfloat16", "float16", "complex64")
FLOATS = PARAMETERS[:-1]

# The arguments of a layer, by the beginning of its name; the others take none.
ARGUMENTS: dict[str, tuple[object, ...]] = {
    "Linear": (4, 4),
    "Bilinear": (4, 4, 4),
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
    "RNN": (4, 4),
    "GRU": (4, 4),
    "LSTM": (4, 4),
    "Embedding": (4, 4),
    "MultiheadAttention": (4, 2),
    "TransformerEncoderLayer": (4, 2),
    "TransformerDecoderLayer": (4, 2),
}
#: Layers that are called with more than one array -> how many.
SEVERAL = {"Bilinear": 2, "MultiheadAttention": 3, "TransformerDecoder": 2, "TransformerDecoderLayer": 2}
# Every other layer has a dimension for each digit in its name, and two more.
DIMENSIONS = {"PixelShuffle": 2, "PixelUnshuffle": 2, "ChannelShuffle": 2, "Upsample": 2, "Unfold": 2, "Fold": 1}


def made(name: str) -> Any:
    if name in ("TransformerEncoder", "TransformerDecoder"):
        return getattr(torch.nn, name)(made(f"{name}Layer"), 2)
    starts = [start for start in ARGUMENTS if name.startswith(start)]
    keywords: dict[str, object] = {"dim": -1} if name.lower().startswith(("softm", "logsoftm")) else {}
    return getattr(torch.nn, name)(*(ARGUMENTS[starts[0]] if starts else ()), **keywords)


def shape(name: str) -> tuple[int, ...]:
    extra = DIMENSIONS.get(name, int(name[-2]) if name.endswith("d") and name[-2].isdigit() else 0)
    if name == "LocalResponseNorm":
        extra = 1
    return (2, 4) + (4,) * extra


def cells(name: str, make: Callable[[str], Any] = made) -> list[tuple[str, str, str, bool]]:
    """Dtype of the parameters, of the input and of the result, and whether the rank stayed; without rejected ones."""
    found = []
    for parameters in PARAMETERS:
        layer = make(name).to(getattr(torch, parameters))
        for mode in (layer, layer.eval()):
            for dtype in DTYPES:
                given = torch.ones(shape(name), dtype=getattr(torch, dtype))
                try:
                    results = tensors(mode(*[given] * SEVERAL.get(name, 1)), LAYERS[name].parts)
                except (RuntimeError, NotImplementedError, ValueError, AssertionError):
                    continue
                for result in results:
                    kept = result.ndim == given.ndim
                    found.append((parameters, dtype, str(result.dtype).removeprefix("torch."), kept))
        if not list(layer.parameters()):
            break
    return found


def tensors(result: Any, parts: Parts) -> Iterator[Any]:
    """The tensors of a result that the row describes; raises ValueError if the result has other parts."""
    if not parts:
        yield result
    for value, part in zip(result, parts, strict=True) if parts else ():
        if part:
            yield from tensors(value, part if isinstance(part, tuple) else ())


@pytest.mark.parametrize("name", LAYERS)
def test_layer(name: str) -> None:
    layer = LAYERS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measured = cells(name)
    assert {dtype for _, dtype, _, _ in measured} >= ({"int64"} if name in TABLES else {"float32", "float64"})
    wrong = [cell for cell in measured if expected(layer, *cell[:2]) != cell[2]]
    assert wrong == []
    assert layer.reshaping or all(kept for *_, kept in measured)


def expected(layer: Layer, parameters: str, dtype: str) -> str:
    found = layer.result(dt.parse(dtype), dt.float32, dt.parse(parameters))
    assert found is not None
    return found.name


@pytest.mark.parametrize("name", LAYERS)
def test_what_a_layer_rejects(name: str) -> None:
    """Exactly the dtypes that PyTorch rejects in training and in evaluation, for every dtype of the parameters."""
    layer = LAYERS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        accepted = {(parameters, dtype) for parameters, dtype, _, _ in cells(name)}
        parameters = list(PARAMETERS if list(made(name).parameters()) else PARAMETERS[:1])
    if name in TABLES:
        parameters = list(FLOATS)  # a complex table has no gradient; without gradients it is computed
    rejected = {
        (one, dtype)
        for one, dtype in product(parameters, DTYPES)
        if layer.rejects(dt.parse(dtype)) or layer.rejects_beside(dt.parse(dtype), dt.parse(one))
    }
    assert accepted & rejected == set(), "a false error"
    missed = set(product(parameters, DTYPES)) - accepted - rejected
    assert {cell for cell in missed if (name, cell[1]) not in NOT_REJECTED} == set()


#: Rejected by the CPU in the mode of the test, but computed with other options or on a GPU.
NOT_REJECTED = {
    *product(("MaxPool1d",), ("uint8", "int8", "int16", "int32", "int64")),  # computed with return_indices
    *product(("AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d"), ("complex64", "complex128")),
    *product(("AvgPool3d",), ("bfloat16", "float16")),
    ("Hardtanh", "uint8"),  # computed with other bounds
}
TABLES = ("Embedding", "EmbeddingBag")


def test_every_row_is_reached() -> None:
    """The companion: a layer that rejected nothing, or everything, would not pass."""
    linear = LAYERS["Linear"]
    assert linear.rejects(dt.int64)
    assert linear.rejects_beside(dt.float64, dt.float32)
    assert not linear.rejects_beside(dt.float64, dt.float64)
    assert not LAYERS["LayerNorm"].rejects_beside(dt.bfloat16, dt.float32)


def test_an_embedding_does_not_follow_its_input() -> None:
    """It has the dtype of its table, whatever the integers."""
    for dtype in ("float64", "bfloat16"):
        table = torch.nn.Embedding(4, 4, dtype=getattr(torch, dtype))
        assert table(torch.zeros(2, dtype=torch.int64)).dtype == getattr(torch, dtype)
        assert expected(LAYERS["Embedding"], dtype, "int64") == dtype
    assert LAYERS["Embedding"].result(dt.int64, dt.float32) is None


@pytest.mark.parametrize("name", [name for name, layer in LAYERS.items() if layer.alike > 1])
def test_arguments_that_must_be_alike(name: str) -> None:
    """Each further argument that counts as alike is rejected with any other dtype."""
    layer, x = made(name), torch.ones(2, 4)
    for place, dtype in product(range(1, LAYERS[name].alike), DTYPES):
        y = torch.ones(2, 4, dtype=getattr(torch, dtype))
        state = y[:1] if name in ("RNN", "GRU") else (y[:1], y[:1]) if name == "LSTM" else y
        state = (y, y) if name == "LSTMCell" else state
        rest = [x] * (SEVERAL.get(name, 2) - 1)
        rest[place - 1] = state
        if dtype == "float32":
            layer(x, *rest)
        else:
            with pytest.raises((RuntimeError, NotImplementedError, ValueError, AssertionError)):
                layer(x, *rest)


def test_further_arguments_have_the_same_dtype_or_none() -> None:
    """A state or a mask of another dtype is rejected, or does not change the dtype of the result."""
    floats = [getattr(torch, name) for name in FLOATS]
    names = [name for name, layer in LAYERS.items() if layer.more and name not in TABLES]
    run = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, parameters, dtype, other in product(names, floats, floats, [*floats, torch.bool]):
            layer, x, y = made(name).to(parameters), torch.ones(2, 4, dtype=dtype), torch.ones(2, 4, dtype=other)
            states = {"LSTM": [(y[:1], y[:1])], "LSTMCell": [(y, y)], "RNN": [y[:1]], "GRU": [y[:1]]}
            masks = [x] * (SEVERAL.get(name, 1) - 1)
            attention = [None, True, y[:, :2]] if name == "MultiheadAttention" else [y[:, :2]]
            more = [*masks, *attention] if "head" in name or "Transformer" in name else states.get(name, [y])
            try:
                results = tensors(layer(x, *more), LAYERS[name].parts)
            except (RuntimeError, NotImplementedError, ValueError, AssertionError):
                continue
            run += 1
            assert {result.dtype for result in results} == {dtype}, (name, parameters, dtype, other)
    assert run > len(names) * len(floats)


@pytest.mark.parametrize("method", CASTS)
def test_casts(method: str) -> None:
    module = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2, dtype=torch.float64))
    assert getattr(module, method)() is module
    assert {str(each.dtype) for each in module.parameters()} == {f"torch.{CASTS[method].name}"}


#: Arguments of a loss.
WEIGHTS: dict[str, tuple[str, ...]] = {
    "BCELoss": ("weight",), "BCEWithLogitsLoss": ("weight", "pos_weight"), "NLLLoss": ("weight",),
    "CrossEntropyLoss": ("weight",),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")  # about the meaning of reductions
def test_losses(tmp_path: Path, plugin_cache: Path) -> None:
    """A loss that is made where it is called, without a weight and with one of each dtype; and one that is given."""
    needs("jaxtyping")
    names = {"Int64": torch.int64, "BFloat16": torch.bfloat16, "Float16": torch.float16, "Float32": torch.float32,
             "Float64": torch.float64}  # fmt: skip
    executed: dict[str, str] = {}
    for loss, (one, x), (other, y) in product(LOSSES, names.items(), names.items()):
        shape = (2,) if other == "Int64" and loss in ("NLLLoss", "CrossEntropyLoss", "MultiMarginLoss") else (2, 4)
        given = torch.full((2, 4), 0.5).to(x), torch.full(shape, 0.5).to(y)
        weights = [(key, name) for key in WEIGHTS.get(loss, ()) for name in names]
        options: dict[str, dict[str, Any]] = {"": {}}
        options |= {f"{key}=w_{name}": {key: torch.ones(4, dtype=names[name])} for key, name in weights}
        for written, keywords in options.items():
            try:
                result = getattr(torch.nn, loss)(**keywords)(*given)
            except (RuntimeError, NotImplementedError, ValueError):
                continue
            executed[f"nn.{loss}({written})(x_{one}, x_{other})"] = str(result.dtype).removeprefix("torch.")
    sizes = {"x": "2 4", "w": "4"}
    parameters = [f'{kind}_{name}: {name}[Tensor, "{size}"]' for name in names for kind, size in sizes.items()]
    given_losses = [f"given_{loss}(x_Float32, x_Float32)" for loss in ("CrossEntropyLoss", "MSELoss")]
    parameters += ["given_CrossEntropyLoss: nn.CrossEntropyLoss", "given_MSELoss: nn.MSELoss"]
    imports = f"from jaxtyping import {', '.join(names)}\nfrom torch import Tensor, nn\n"
    head = f"{imports}def f({', '.join(parameters)}) -> None:\n"
    cells = [*executed, *given_losses]
    (tmp_path / "losses.py").write_text(head + "".join(f"    reveal_type({cell})\n" for cell in cells))
    known = dict(zip(cells, run_mypy(tmp_path, "losses.py", cache=plugin_cache).revealed().values(), strict=True))
    # The weight of a loss that is given may decide.
    expected = {cell: f"Tensor[{dtype}]" for cell, dtype in executed.items()}
    assert known == {**expected, given_losses[0]: "Any", given_losses[1]: "Tensor[float32]"}
    assert {cell.partition("(")[0].removeprefix("nn.") for cell in executed} == set(LOSSES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in LAYERS if name not in regions.UNKNOWN_LAYERS])
def test_layers_in_a_region_of_autocast(name: str) -> None:
    """Lowered layers compute in the dtype of the region, the other ones as outside."""
    layer = made(name).eval()
    for dtype, low in product(("float32", "float16", "bfloat16"), ("float16", "bfloat16")):
        given = torch.ones(shape(name), dtype=torch.int64 if name in TABLES else getattr(torch, dtype))
        with torch.autocast("cpu", dtype=getattr(torch, low)):
            result = next(tensors(layer(given), LAYERS[name].parts)).dtype
        outside = torch.float32 if name in TABLES else given.dtype
        assert result == (getattr(torch, low) if name in regions.LOWERED_LAYERS else outside), (dtype, low)
