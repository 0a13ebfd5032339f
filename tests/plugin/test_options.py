"""Options reach inference, per module; a change of one invalidates the cache; a fault is one line, never a traceback."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy

pytest.importorskip("jax")

PROGRAM = """\
import jax
from promo_mypy.rules.dtypes import float32, int32, int64, uint8
def f(a: "jax.Array[float32]", i: "jax.Array[int32]", k: "jax.Array[int64]", t: bool) -> None:
    reveal_type(i / i)
    reveal_type(a + i)
    reveal_type(i + k)
"""


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("", ["Array[float32]", "Array[float32]", "Array[int32]"]),
        ("jax_enable_x64 = true", ["Array[float32]", "Array[float32]", "Array[int64]"]),
        ('system = "numpy"', ["Array[float64]", "Array[float64]", "Array[int64]"]),
        ('jax_numpy_dtype_promotion = "strict"', ["Array[float32]", "Array[Any]", "Array[Any]"]),
        (
            'system = "numpy"\n[[tool.promo-mypy.overrides]]\nmodule = "option*"\nsystem = "library"',
            None,
        ),
        (
            'system = "numpy"\n[[tool.promo-mypy.overrides]]\nmodule = "options_used"\njax_enable_x64 = true\nsystem = "library"',
            ["Array[float32]", "Array[float32]", "Array[int64]"],
        ),
    ],
)
def test_an_option_changes_what_is_inferred(
    options: str, shown: list[str] | None, tmp_path: Path, plugin_cache: Path
) -> None:
    (tmp_path / "options_used.py").write_text(PROGRAM)
    # The same cache for every case: each change of an option has to invalidate it.
    run = run_mypy(tmp_path, "options_used.py", cache=plugin_cache, options=options)
    if shown is None:
        assert run.status == 2
        assert "option*" in run.output
    else:
        assert list(run.revealed().values()) == shown, run.output


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ('sistem = "numpy"', "sistem"),
        ('system = "numpi"', "numpi"),
        ("jax_enable_x64 = 1", "jax_enable_x64"),
        ("jax_enable_x64 = ", "TOML"),
    ],
)
def test_a_fault_is_one_line(options: str, key: str, tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "options_faulty.py").write_text("x = 1\n")
    if key == "TOML":
        # mypy itself reads pyproject.toml; a file of our own is ours to complain about.
        (tmp_path / "promo-mypy.toml").write_text(options)
        options = ""
    run = run_mypy(tmp_path, "options_faulty.py", cache=plugin_cache, options=options)
    assert run.status == 2
    (line,) = run.output.strip().splitlines()
    assert key in line
    assert ".toml" in line


def test_configured_beside_mypy_ini(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "options_ini.py").write_text(PROGRAM)
    (tmp_path / "promo-mypy.toml").write_text("jax_enable_x64 = true\n")
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = promo_mypy.plugin\n")
    run = run_mypy(tmp_path, "options_ini.py", "--config-file", "mypy.ini", cache=plugin_cache)
    assert list(run.revealed().values())[2] == "Array[int64]", run.output
