"""Parameters of layers that a file replaces, or may cast out of sight: their dtypes are unknown.

The known ones are in `executed/layer_parameters.py.txt` and `executed/parameters_of_modules.py.txt`.
"""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

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
OTHER_DATA = """\
from torch import nn

def g() -> None:
    layer = nn.Linear(4, 4)
    weight = layer.weight
    weight.data = weight.data.half()
    reveal_type(layer.weight)
"""


def test_a_replaced_parameter_is_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "replaced.py").write_text(REPLACED)
    (tmp_path / "data.py").write_text(OTHER_DATA)
    replaced = run_mypy(tmp_path, "replaced.py", cache=plugin_cache)
    assert replaced.errors() == []
    unknown = dict.fromkeys((7, 10), "Tensor[Any]")
    assert replaced.revealed() == {**unknown, 11: "Tensor[float16] | None", 12: "Tensor[float32]"}
    data = run_mypy(tmp_path, "data.py", cache=plugin_cache)
    assert data.errors() == []
    assert data.revealed() == {7: "Tensor[Any]"}
