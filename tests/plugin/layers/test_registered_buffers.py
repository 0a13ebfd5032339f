"""Buffers that a class declares without a dtype: what `calls/whole/registered_buffers.py.txt` does not show."""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("torch")

UNKNOWN = """\
import torch
from torch import Tensor, nn


class Bound(nn.Module):
    bound: Tensor
    early: Tensor
    none: Tensor
    named: Tensor

    def forward(self) -> None:
        reveal_type(self.early)  # above the call

    def __init__(self, name: str) -> None:
        super().__init__()
        self.register_buffer("bound", torch.ones(3))
        self.bound = torch.ones(3).half()
        self.register_buffer("early", torch.ones(3))
        self.register_buffer("none", None)

    def later(self) -> None:
        reveal_type(self.bound)
        reveal_type(self.none)


class Named(nn.Module):
    scale: Tensor

    def __init__(self, name: str) -> None:
        super().__init__()
        self.register_buffer("scale", torch.ones(3))
        self.register_buffer(name, torch.ones(3).half())

    def later(self) -> None:
        reveal_type(self.scale)


class NotMade(nn.Module):
    scale: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scale", torch.ones(3))

    def later(self) -> None:
        reveal_type(self.scale)  # another file may cast it


Bound("a"), Named("b")
"""
CAST = """\
import torch
from torch import Tensor, nn


class Cast(nn.Module):
    scale: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scale", torch.ones(3))

    def later(self) -> None:
        reveal_type(self.scale)


Cast(){cast}
"""


def test_unknown_dtypes(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "unknown.py").write_text(UNKNOWN)
    (tmp_path / "as_made.py").write_text(CAST.format(cast=""))
    (tmp_path / "cast.py").write_text(CAST.format(cast=".half()"))
    run = run_mypy(tmp_path, ".", cache=plugin_cache)
    shown = [(message.file, message.revealed) for message in run.messages if message.revealed]
    assert shown.count(("as_made.py", "Tensor[float32]")) == 1
    others = [typ for file, typ in shown if file != "as_made.py"]
    assert others.count("Tensor[float32]") == 1  # all methods run after the call, also one above it
    assert {*others} == {"Tensor[Any]", "Tensor[float32]"}
    assert len(shown) == 7


PARAMETERS = """\
import torch
from jaxtyping import Float32
from torch import Tensor, nn


class Linear(nn.Module):
    declared: Float32[nn.Parameter, "n"]

    def __init__(self, learned: bool) -> None:
        super().__init__()
        if learned:
            self.weight = nn.Parameter(torch.randn(3))
            self.declared = nn.Parameter(torch.randn(3))
        else:
            self.register_buffer("weight", torch.Tensor())
            self.register_buffer("declared", torch.zeros(3))
"""


def test_a_buffer_in_place_of_a_parameter_is_no_error(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "parameters.py").write_text(PARAMETERS)
    run = run_mypy(tmp_path, ".", cache=plugin_cache)
    assert run.errors() == []
