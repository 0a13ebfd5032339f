"""ndarray's moved operators survive mypy's cache: a warm run gives the same output as a cold one."""

from pathlib import Path

from tests.mypy_runs import run_mypy

PROGRAM = """\
import numpy as np
import numpy.typing as npt

def f(n: npt.NDArray[np.float32], t: npt.NDArray[np.timedelta64], b: npt.NDArray[np.bool_]) -> None:
    reveal_type(n * n)
    reveal_type(n + "a")
    reveal_type(t % t)
    reveal_type(t + 1.5)
    reveal_type(-t)
    reveal_type(b - b)
    t += 1.5
"""


def test_a_warm_run_equals_a_cold_one(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    cold = run_mypy(tmp_path, "program.py", cache=cache)
    # The libraries come from the cache, the program is checked again.
    (tmp_path / "program.py").write_text(PROGRAM + "\n", encoding="utf-8")
    warm = run_mypy(tmp_path, "program.py", cache=cache)
    assert warm.output == cold.output
    assert "_32Bit" in cold.revealed()[5]
    assert "timedelta64" in cold.revealed()[7]
    assert {message.line for message in cold.errors()} == {6, 8, 10, 11}
