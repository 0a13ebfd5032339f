"""`self.x += y` may bind an array of another library: then no method keeps the dtype that `self.x` had before."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.examples.agreement import dtype_named
from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("torch")

PROGRAM: Final = """\
import numpy as np
import torch
class Base:
    def __init__(self) -> None:
        self.replaced = torch.zeros(2)
        self.scaled = torch.zeros(2)
        self.written = np.zeros(2, np.float32)
        self.inherited = torch.zeros(2)
    def step(self) -> None:
        self.replaced *= np.ones(2)  # type: ignore[arg-type]
        self.scaled *= -0.5
        self.scaled += 1 + 1
        self.written += np.ones(2)
        self.written /= 2
    def shown(self) -> list[object]:
        return [
            reveal_type(self.replaced),
            reveal_type(self.scaled),
            reveal_type(self.written),
            reveal_type(self.inherited),
        ]
class Derived(Base):
    def step(self) -> None:
        super().step()
        self.inherited -= np.ones(2)  # type: ignore[arg-type]
"""
ALONE: Final = """\
import torch
class Alone:
    def __init__(self) -> None:
        self.total = torch.zeros(2)
    def step(self) -> None:
        self.total += torch.ones(2, dtype=torch.float64)
    def shown(self) -> list[object]:
        return [reveal_type(self.total)]
"""


def executed(program: str, name: str) -> list[str]:
    namespace: dict[str, Any] = {"reveal_type": lambda value: value}
    exec(program, namespace)
    made = namespace[name]()
    made.step()
    return [str(each.dtype).removeprefix("torch.") for each in made.shown()]


@pytest.mark.filterwarnings("ignore:__array_wrap__:DeprecationWarning")
def test_other_methods_know_only_attributes_that_are_not_replaced(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "mixed.py").write_text(PROGRAM)
    (tmp_path / "alone.py").write_text(ALONE)
    run = run_mypy(tmp_path, "mixed.py", "alone.py", cache=plugin_cache)
    shown: dict[str, list[str | None]] = {"mixed.py": [], "alone.py": []}
    for message in run.messages:
        if message.revealed is not None:
            shown[message.file].append(dtype_named(message.revealed))
    assert shown == {"mixed.py": [None, "float32", "float32", None], "alone.py": ["float32"]}
    assert executed(PROGRAM, "Base") == ["float64", "float32", "float32", "float32"]
    assert executed(PROGRAM, "Derived") == ["float64", "float32", "float32", "float64"]
    assert executed(ALONE, "Alone") == ["float32"]
