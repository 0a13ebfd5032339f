"""mypy does not check a function without annotations: what it assigns to a number may be an array."""

from pathlib import Path
from typing import Any, Final

from tests.examples.agreement import dtype_named
from tests.mypy_runs import run_mypy

HEADER: Final = """\
# mypy: disallow-untyped-defs=False, check-untyped-defs=False
import numpy as np
import numpy.typing as npt
"""
PROGRAM: Final = """\
kept = many = 0
class Counter:
    size = 0
    def __init__(self) -> None:
        self.steps = 0
        self.total = 0.0
        self.mean = 0.0
        self.outside = 1
    def step(self, more):
        global kept, many
        self.steps += 1
        self.size = len(more) * 2
        self.total = np.ones(3)
        self.mean = -np.ones(3) / 2
        kept = float(kept) + 1
        many = np.ones(3)
    def read(self, x: npt.NDArray[np.float32]) -> None:
        reveal_type(x * self.steps)
        reveal_type(x * self.size)
        reveal_type(x * self.total)
        reveal_type(x * self.mean)
        reveal_type(x * self.outside)
        reveal_type(x * kept)
        reveal_type(x * many)
def put(counter):
    counter.outside = np.ones(3)
"""
CALLS: Final = """
counter = Counter()
counter.step([1])
put(counter)
counter.read(np.ones(3, np.float32))
"""


def _executed() -> list[str]:
    shown: list[str] = []
    namespace: dict[str, Any] = {"reveal_type": lambda value: shown.append(str(value.dtype))}
    exec(HEADER + PROGRAM + CALLS, namespace)
    return shown


def test_only_numbers_stay_numbers(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "unchecked.py").write_text(HEADER + PROGRAM)
    run = run_mypy(tmp_path, "unchecked.py", cache=plugin_cache)
    assert run.errors() == []
    inferred = [dtype_named(shown) for _, shown in sorted(run.revealed().items())]
    executed = _executed()
    assert executed == ["float32", "float32", "float64", "float64", "float64", "float32", "float64"]
    assert inferred == [dtype if dtype == "float32" else None for dtype in executed]
