"""A value that may be a NumPy scalar is accepted for a number, as in stock mypy."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from tests.mypy_runs import run_mypy

HEADER: Final = """\
import numpy as np
from numpy.typing import NDArray
D = NDArray[np.float64]
S = NDArray[np.float32]
def wants(number: float, other: float = 0.0) -> None: ...
"""
#: Of two vectors of float64.
NUMBERS: Final = (
    "np.dot(x, y)", "x.dot(y)", "np.inner(x, y)", "np.sum(x, axis=0)", "np.mean(x, axis=-1)", "np.max(x, axis=0)",
    "np.linalg.norm(x, axis=0)", "np.percentile(x, 5)", "np.dot(x, y) / np.dot(y, y)", "-np.dot(x, y) + 1",
    "np.sqrt(np.dot(x, y))", "np.exp(-np.dot(x, y))", "np.maximum(0, np.dot(x, y))", "np.float64(np.dot(x, y))",
    "np.float64(x @ y)", "np.float64(np.sum(x, axis=0))",
)  # fmt: skip
USES: Final = (
    "def {name}(x: D, y: D) -> float:\n    return {value}\n",
    "def {name}(x: D, y: D) -> float:\n    number: float = {value}\n    return number\n",
    "class {name}:\n    def __init__(self, x: D, y: D) -> None:\n        self.number: float = {value}\n",
    "def {name}(x: D, y: D) -> None:\n    wants({value})\n",
    "def {name}(x: D, y: D) -> None:\n    wants(1, other={value})\n",
)
#: Where no dtype is declared, the value counts as Any, as in NumPy's stubs.
OTHERS: Final = (
    "def text(x: D, y: D) -> str:\n    return np.dot(x, y)\n",
    "def single(x: S, y: S) -> float:\n    return np.dot(x, y)\n",
)
#: Errors that stay: another dtype, or a value that is always an array.
MISTAKES: Final = (
    "def dtype(x: D, y: D) -> NDArray[np.float32]:\n    return np.dot(x, y)\n",
    "def scalar(x: S, y: S) -> np.float64:\n    return np.dot(x, y)\n",
    "def summed(x: D, y: D) -> float:\n    return np.cumsum(x)\n",
    "def root(x: D, y: D) -> float:\n    return np.sqrt(x)\n",
)


def checked(folder: Path, functions: list[str], cache: Path, *, plugin: bool) -> dict[int, str]:
    """The number of each function with an error, and the error's code."""
    (folder / "program.py").write_text(HEADER + "".join(functions), encoding="utf-8")
    starts = [HEADER.count("\n") + sum(map(_lines, functions[:number])) for number in range(len(functions))]
    errors = run_mypy(folder, "program.py", cache=cache, plugin=plugin, settings="warn_return_any = false").errors()
    return {
        max(number for number, start in enumerate(starts) if start < error.line): error.code or "" for error in errors
    }


def _lines(text: str) -> int:
    return text.count("\n")


def test_possible_scalars_are_accepted(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    functions = [
        use.format(name=f"f{number}_{kind}", value=value)
        for number, value in enumerate(NUMBERS)
        for kind, use in enumerate(USES)
    ]
    functions += OTHERS
    assert checked(tmp_path, functions, stock_cache, plugin=False) == {}
    assert checked(tmp_path, functions, plugin_cache, plugin=True) == {}


@pytest.mark.parametrize("value", NUMBERS)
def test_the_values_are_python_floats(value: str) -> None:
    vectors: dict[str, Any] = {"np": np, "x": np.array([1.0, 2.0]), "y": np.array([3.0, 0.5])}
    assert isinstance(eval(value, vectors), float)


def test_mistakes_are_reported(tmp_path: Path, plugin_cache: Path) -> None:
    found = checked(tmp_path, list(MISTAKES), plugin_cache, plugin=True)
    assert found == dict.fromkeys(range(len(MISTAKES)), "return-value")
