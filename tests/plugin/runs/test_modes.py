"""mypy gives the same output in every mode: cold, warm, half warm, in two workers, as a daemon."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_dmypy, run_mypy
from tests.needed import needs

needs("jax", "jaxtyping")

LIBRARY = """\
from collections.abc import Sequence
from dataclasses import dataclass
import numpy as np
import numpy.typing as npt
from jaxtyping import Array, Float32 as F, Int32
Scaled = F[Array, "n"]
Narrow = npt.NDArray[np.int16]
@dataclass
class Model:
    weight: F[Array, "n"]
    index: Int32[Array, "n"]
    table: Narrow
    def apply(self, x: Scaled) -> Scaled:
        return x * self.weight + self.index
    def keep(self, arrays: list[Array]) -> None:
        pass
def read(arrays: Sequence[Array]) -> int:
    return len(arrays)
derived = np.ones(3, np.float32) * np.int16(1)
"""

PROGRAM = """\
import numpy as np
from jaxtyping import Array, Float16
from modes_library import Model, Narrow, Scaled, derived, read
def f(model: Model, x: Scaled, h: Float16[Array, "n"]) -> Float16[Array, "n"]:
    reveal_type(model.apply(x) * model.index)
    reveal_type(model.table + 1)
    reveal_type(derived * model.table)
    y = h * 2
    y = y * model.weight
    reveal_type(y)
    held = [x]
    read(held)
    reveal_type(held[0])
    model.keep(held)
    reveal_type(held[0])
    model.table += derived
    model.table - np.bool_(True)
    model.table + 70000
    model.weight << 1
    return y
"""

SETTINGS = 'disable_error_code = ["unused-ignore"]'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "modes_library.py").write_text(LIBRARY)
    (tmp_path / "modes_program.py").write_text(PROGRAM)
    return tmp_path


def test_cold_warm_and_workers_agree(project: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cold = run_mypy(project, "modes_program.py", cache=cache, settings=SETTINGS)
    assert {error.code for error in cold.errors()} == {
        "promo-inplace",
        "promo-overflow",
        "promo-undefined",
        "return-value",
    }
    assert len(cold.revealed()) == 6
    assert list(cold.revealed().values())[-2:] == ["Array[float32]", "Array[Any]"]
    assert run_mypy(project, "modes_program.py", cache=cache, settings=SETTINGS).lines() == cold.lines()
    # Only the program is checked again; the library and its array classes come from the cache.
    (project / "modes_program.py").write_text("# one more line\n" + PROGRAM)
    half = run_mypy(project, "modes_program.py", cache=cache, settings=SETTINGS)
    assert [(message.line - 1, message.text) for message in half.messages] == [
        (message.line, message.text) for message in cold.messages
    ]
    (project / "modes_program.py").write_text(PROGRAM)
    workers = run_mypy(project, "modes_program.py", "-n", "2", cache=tmp_path / "cache-workers", settings=SETTINGS)
    assert workers.lines() == cold.lines(), workers.output


def test_the_daemon_agrees(project: Path, plugin_cache: Path) -> None:
    once = run_mypy(project, "modes_program.py", cache=plugin_cache, settings=SETTINGS)
    flags = ("run", "--", "--cache-dir", str(plugin_cache), "--no-color-output", "modes_program.py")
    try:
        assert run_dmypy(project, *flags).lines() == once.lines()
        # A dtype changes in the library: the types in the program that depend on it change.
        wide = LIBRARY.replace("Narrow = npt.NDArray[np.int16]", "Narrow = npt.NDArray[np.int64]  # wide")
        (project / "modes_library.py").write_text(wide)
        edited = run_dmypy(project, *flags)
        assert "signedinteger[numpy._typing._nbit_base._64Bit]" in edited.output
        assert {error.code for error in edited.errors()} == {"promo-inplace", "promo-undefined", "return-value"}
        # And back again: the same as before, every error once. (mypy's daemon overlooks a quick edit of equal size.)
        (project / "modes_library.py").write_text(LIBRARY + "# as before\n")
        assert run_dmypy(project, *flags).lines() == once.lines()
    finally:
        run_dmypy(project, "kill")
