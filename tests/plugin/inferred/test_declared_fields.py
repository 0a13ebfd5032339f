"""Arrays that a program reads from its batches, records, data sets and modules: what their types tell, and no more.

The program is executed, too: what `reveal_type` gets there has the dtype in the comment.
"""

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("torch")

PROGRAM = """\
from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypedDict
import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

Half = Annotated[torch.Tensor, torch.float16]

class Batch(TypedDict):
    image: Half
    label: Annotated[torch.Tensor, torch.int64]

class Pair(NamedTuple):
    first: Half
    second: npt.NDArray[np.int16]

@dataclass
class Stored:
    weight: Annotated[torch.Tensor, torch.bfloat16]
    counts: npt.NDArray[np.uint8]

class Items(Dataset[Half]):
    def __getitem__(self, index: int) -> Half:
        return torch.zeros(3, dtype=torch.float16)

    def __len__(self) -> int:
        return 2

def wide(x: Annotated[torch.Tensor, torch.float64]) -> None: ...

def read(batch: Batch, pair: Pair, stored: Stored) -> None:
    reveal_type(batch["image"] * 2)  # float16
    reveal_type(batch["label"] + 1)  # int64
    made: Batch = {"image": torch.zeros(2, dtype=torch.float16), "label": torch.tensor([1])}
    reveal_type(made["image"])  # float16
    reveal_type(pair.first)  # float16
    first, second = pair
    reveal_type(first * 2)  # float16
    reveal_type(second + second)  # int16
    reveal_type(pair[1])  # int16
    reveal_type(pair._replace(second=np.zeros(2, np.int16)).second)  # int16
    reveal_type(stored.weight * 2)  # bfloat16
    reveal_type(stored.counts)  # uint8

def load() -> None:
    reveal_type(Items()[0])  # float16
    for batch in DataLoader(Items(), batch_size=2):
        reveal_type(batch)
    for one, in DataLoader(TensorDataset(torch.zeros(4, 3, dtype=torch.float64)), batch_size=2):
        reveal_type(one)  # float64
        wide(one)
    model = torch.nn.Linear(2, 3)
    state = model.state_dict()
    reveal_type(state["weight"])
    model.load_state_dict({name: value * 2 for name, value in state.items()})
    for value in state.values():
        wide(value)
    layer = torch.nn.Linear(2, 3)
    reveal_type(layer.weight + torch.zeros(3, 2))  # float32

read(
    {"image": torch.zeros(2, dtype=torch.float16), "label": torch.tensor([1])},
    Pair(torch.zeros(1, dtype=torch.float16), np.zeros(2, np.int16)),
    Stored(torch.zeros(1, dtype=torch.bfloat16), np.zeros(1, np.uint8)),
)
load()
"""
_NAMES = {
    "numpy.signedinteger[numpy._typing._nbit_base._16Bit]": "int16",
    "numpy.unsignedinteger[numpy._typing._nbit_base._8Bit]": "uint8",
}


def _told(revealed: str) -> str | None:
    for long, short in _NAMES.items():
        revealed = revealed.replace(long, short)
    return None if revealed == "Any" else revealed.rstrip("]").rpartition("[")[2]


def _labels() -> dict[int, str | None]:
    lines = enumerate(PROGRAM.splitlines(), 1)
    return {line: text.partition("  # ")[2] or None for line, text in lines if "reveal_type(" in text}


def test_types_tell_the_dtypes_of_fields(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert run.errors() == []
    assert {line: _told(text) for line, text in run.revealed().items()} == _labels()


def test_the_program_has_these_dtypes(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[int, str] = {}

    def reveal_type(value: Any) -> Any:
        found[sys._getframe(1).f_lineno] = str(value.dtype).removeprefix("torch.")
        return value

    monkeypatch.setattr(builtins, "reveal_type", reveal_type, raising=False)
    exec(compile(PROGRAM, "program.py", "exec"), {"__name__": "program"})
    labels = _labels()
    assert {line: dtype for line, dtype in found.items() if labels[line] is not None} == {
        line: dtype for line, dtype in labels.items() if dtype is not None
    }
    assert [found[line] for line, dtype in labels.items() if dtype is None] == ["float16", "float32"]
