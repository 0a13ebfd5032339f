"""Parameters of layers that a file replaces, or may cast out of sight: their dtypes are unknown.

The known ones are in `transforms/executed/layer_parameters.py.txt`, `transforms/executed/parameters_of_modules.py.txt`.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

needs("torch")

REPLACED = """\
import torch
from torch import nn

def f(other: nn.Module) -> None:
    bound = nn.Linear(4, 4)
    bound.weight = nn.Parameter(torch.zeros(4, 4, dtype=torch.float64))
    reveal_type(bound.weight.detach())
    passed = nn.Linear(4, 4)
    other.load_state_dict({"a": passed})
    reveal_type(passed.weight)
    reveal_type(nn.BatchNorm1d(2).half().running_mean)
    reveal_type(nn.Linear(4, 4).weight)
"""
BY_NAME = """\
import torch
from torch import nn

def g(half: dict[str, torch.Tensor]) -> None:
    layer = nn.Linear(4, 4)
    {statement}
    reveal_type(layer.weight)
"""
STATEMENTS = (
    'setattr(layer, "weight", nn.Parameter(torch.ones(4, 4).half()))',
    "layer.load_state_dict(half, assign=True)",
    'layer._parameters["weight"] = nn.Parameter(torch.ones(4, 4).half())',
    'layer.register_parameter("weight", nn.Parameter(torch.ones(4, 4).half()))',
    "torch.utils.swap_tensors(layer.weight, nn.Parameter(torch.ones(4, 4).half()))",
)
OTHER_DATA = """\
from torch import nn

def g() -> None:
    layer = nn.Linear(4, 4)
    weight = layer.weight
    weight.data = weight.data.half()
    reveal_type(layer.weight)
"""
KEPT = """\
import torch
from torch import nn

def g() -> None:
    layer = nn.Linear(4, 4)
    nested = nn.Sequential(nn.Linear(4, 4))
    weight, both, inner = layer.weight, [layer.weight, layer.bias], nested[0].weight
    made, sign = layer.weight.detach() + 1, torch.abs(layer.weight)
    layer.half()
    nested.half()
    after = layer.weight
    reveal_type(weight)
    reveal_type(both)
    reveal_type(inner)
    reveal_type(made)
    reveal_type(sign)
    reveal_type(after)
g()
"""


def test_a_parameter_that_is_cast_after_it_was_kept_is_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    """The cast changes the tensor itself, so that the dtype of the variable changes. Computed tensors stay."""
    assert _dtypes_at_reveals(KEPT) == ["float16", "float16", "float16", "float32", "float32", "float16"]
    (tmp_path / "kept.py").write_text(KEPT)
    run = run_mypy(tmp_path, "kept.py", "--allow-untyped-calls", cache=plugin_cache)
    assert run.errors() == []
    computed = {15: "Tensor[float32]", 16: "Tensor[float32]", 17: "Tensor[float16]"}
    assert run.revealed() == {12: "Tensor[Any]", 13: "list[Tensor[Any]]", 14: "Tensor[Any]", **computed}


def _dtypes_at_reveals(program: str) -> list[str]:
    found: list[str] = []

    def reveal(value: Any) -> None:
        tensor = value[0] if isinstance(value, list) else value
        found.append(str(tensor.dtype).removeprefix("torch."))

    exec(compile(program, "kept.py", "exec"), {"reveal_type": reveal})  # the program is this test's own
    return found


def test_a_replaced_parameter_is_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "replaced.py").write_text(REPLACED)
    (tmp_path / "data.py").write_text(OTHER_DATA)
    replaced = run_mypy(tmp_path, "replaced.py", cache=plugin_cache)
    assert replaced.errors() == []
    known = {7: "Tensor[float64]", 11: "Tensor[float16] | None", 12: "Tensor[float32]"}
    assert replaced.revealed() == {**known, 10: "Tensor[Any]"}
    data = run_mypy(tmp_path, "data.py", cache=plugin_cache)
    assert data.errors() == []
    assert data.revealed() == {7: "Tensor[Any]"}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_parameter_that_is_replaced_by_name_is_unknown(statement: str, tmp_path: Path, plugin_cache: Path) -> None:
    assert _replaced(statement) == "float16"
    (tmp_path / "named.py").write_text(BY_NAME.format(statement=statement))
    run = run_mypy(tmp_path, "named.py", "--allow-untyped-calls", cache=plugin_cache)
    assert run.errors() == []
    assert list(run.revealed().values()) == ["Tensor[Any]"]


def _replaced(statement: str) -> str:
    """The dtype of the weight after the statement."""
    torch = imported("torch")
    layer = torch.nn.Linear(4, 4)
    half = {"weight": torch.ones(4, 4).half(), "bias": torch.ones(4).half()}
    exec(statement, {"torch": torch, "nn": torch.nn, "layer": layer, "half": half})
    return str(layer.weight.dtype).removeprefix("torch.")
