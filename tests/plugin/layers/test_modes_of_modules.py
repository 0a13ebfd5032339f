"""Containers of modules in a library from mypy's cache keep the types of their items."""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("torch", "jaxtyping")

LIBRARY = """\
import torch
from jaxtyping import Float32, Float64
from torch import Tensor, nn
class Double(nn.Module):
    def forward(self, x: Float32[Tensor, "*n"]) -> Float64[Tensor, "*n"]:
        return x.double()
class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = nn.Sequential(nn.Linear(4, 4), Double())
        self.blocks = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
"""
PROGRAM = """\
from jaxtyping import Float32
from modes_of_modules_library import Double, Network
from torch import Tensor
def use(network: Network, x: Float32[Tensor, "n"]) -> None:
    reveal_type(network.chain(x))
    reveal_type(network.blocks[0](x))
    reveal_type(Double()(x))
    Double()(x, x)
    Double()(x.half())
"""


def test_cold_and_half_warm(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "modes_of_modules_library.py").write_text(LIBRARY)
    for more in ("", "# one more line\n"):
        (tmp_path / "program.py").write_text(PROGRAM + more)
        run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
        assert list(run.revealed().values()) == ["Tensor[float64]", "Tensor[float32]", "Tensor[float64]"]
        assert [error.code for error in run.errors()] == ["arg-type"], run.output
