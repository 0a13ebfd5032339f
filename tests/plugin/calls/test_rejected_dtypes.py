"""`np.dtype(x)` of Any by another name, or of a value that mypy rejects, has not the dtype of the first overload."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.mypy_runs import run_mypy

PROGRAM = """\
from typing import Any, Protocol
import numpy as np

class Named(Protocol):
    itemsize: int

class Array(Protocol):
    dtype: Named

Anything = Any

def shifted(x: Array, alias: Anything) -> object:
    integer = np.dtype(x.dtype.str.replace("f", "i"))
    mask = np.array(-1, dtype=integer)
    reveal_type(mask)
    reveal_type(np.zeros(2, np.dtype(x.dtype.name)))
    reveal_type(np.zeros(2, np.dtype(float)))
    reveal_type(np.zeros(2, np.dtype(alias)))
    return (mask >> 2) << 2
"""
UNKNOWN = "numpy.ndarray[tuple[int], numpy.dtype[Any]]"


def test_the_dtype_is_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert [error.code for error in run.errors()] == ["attr-defined", "attr-defined"]
    assert list(run.revealed().values()) == [
        "numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]",
        UNKNOWN,
        UNKNOWN.replace("Any", "numpy.float64"),
        "numpy.ndarray[Any, Any]",
    ]


@pytest.mark.slow
def test_without_the_hook_mypy_takes_the_first_overload(tmp_path: Path, stock_cache: Path) -> None:
    """The companion test: the hook can go when this test fails."""
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=stock_cache, plugin=False)
    assert "operator" in [error.code for error in run.errors()]
    assert run.revealed()[PROGRAM[: PROGRAM.index("reveal_type")].count("\n") + 1].endswith("dtype[numpy.float64]]")


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_program_runs(dtype: type[np.floating]) -> None:
    variables: dict[str, Any] = {"reveal_type": lambda value: value}
    exec(PROGRAM, variables)  # the program of the test, as it stands
    result = variables["shifted"](SimpleNamespace(dtype=np.dtype(dtype)), "int8")
    assert isinstance(result, np.signedinteger)
