"""Messages show dtypes as people write them: no rank argument, no private names."""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("torch")

PROGRAM = """\
import torch
from promo_mypy.rules.dtypes import float32, float64
def half(x: "torch.Tensor[float32]") -> "torch.Tensor[float32]": return x
def f(
    x: "torch.Tensor[float32]", y: "torch.Tensor[float64]", z: torch.Tensor, many: "list[torch.Tensor[float64]]"
) -> None:
    reveal_type(x + y)
    reveal_type(z)
    half(x + y)
    w: "dict[str, torch.Tensor[float32]]" = {"a": y}
    v: "list[torch.Tensor[float32]]" = many
"""


def test_tensors_show_only_their_dtype(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "messages.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "messages.py", cache=plugin_cache)
    # The ranks of x and y are unknown. Both are floats, so that the wider one wins unless one of them is 0-d. Hence the
    # unknown dtype.
    assert run.revealed() == {7: "Tensor[Any]", 8: "Tensor[Any]"}
    assert [error.text for error in run.errors()] == [
        'Dict entry 0 has incompatible type "str": "Tensor[float64]"; expected "str": "Tensor[float32]"',
        'Incompatible types in assignment (expression has type "list[Tensor[float64]]", variable has type'
        ' "list[Tensor[float32]]")',
    ]
    assert "Rank" not in run.output


PLAIN = """\
import torch
from torch import nn

def halved(x: torch.Tensor, weight: nn.Parameter, named: dict[str, torch.Tensor]) -> str:
    x.name
    weight = x
    named["a"] = [x]
    return weight
"""


def test_types_without_dtypes_are_printed_as_stock_mypy_does(
    tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    stock = run_mypy(tmp_path, "plain.py", cache=stock_cache, plugin=False)
    run = run_mypy(tmp_path, "plain.py", cache=plugin_cache)
    assert [error.text for error in run.errors()] == [error.text for error in stock.errors()]
    assert len(run.errors()) == 4
