"""Options reach inference, per module; a change of one invalidates the cache; an invalid one gives a one-line error."""

from pathlib import Path

import pytest

from tests.mypy_runs import override, run_mypy
from tests.needed import needs
from tests.plugin.annotations.miniature import write_libraries

needs("jax")

PROGRAM = """\
import jax
from promo_mypy.rules.dtypes import float32, int32, int64, uint8
def f(a: "jax.Array[float32]", i: "jax.Array[int32]", k: "jax.Array[int64]", t: bool) -> None:
    reveal_type(i / i)
    reveal_type(a + i)
    reveal_type(i + k)
"""


STANDARD = ["Array[float32]", "Array[float32]", "Array[int32]"]
WIDE = ["Array[float32]", "Array[float32]", "Array[int64]"]


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("", STANDARD),
        ("jax_enable_x64 = true", WIDE),
        ('system = "numpy"', ["Array[float64]", "Array[float64]", "Array[int64]"]),
        ('jax_numpy_dtype_promotion = "strict"', ["Array[float32]", "Array[Any]", "Array[Any]"]),
        ("jax_enable_x64 = false", STANDARD),
    ],
)
def test_an_option_changes_what_is_inferred(options: str, shown: list[str], tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "options_used.py").write_text(PROGRAM)
    # The same cache for every case: each change of an option must invalidate it. As an override, so that it
    # invalidates only this module and not the libraries.
    changed = override("options_used", options) if options else ""
    run = run_mypy(tmp_path, "options_used.py", cache=plugin_cache, options=changed)
    assert list(run.revealed().values()) == shown, run.output


def test_an_override_replaces_an_option_in_its_modules(tmp_path: Path) -> None:
    write_libraries(tmp_path)
    (tmp_path / "options_used.py").write_text(PROGRAM)
    (tmp_path / "options_other.py").write_text(PROGRAM)
    options = "jax_enable_x64 = true\n" + override("options_used", "jax_enable_x64 = false")
    run = run_mypy(tmp_path, "options_used.py", "options_other.py", cache=tmp_path / "cache", options=options)
    shown = {
        name: [m.revealed for m in run.messages if m.file == name and m.revealed]
        for name in ("options_used.py", "options_other.py")
    }
    assert shown == {"options_used.py": STANDARD, "options_other.py": WIDE}


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ('sistem = "numpy"', "sistem"),
        ('system = "numpi"', "numpi"),
        ('[[tool.promo-mypy.overrides]]\nmodule = "option*"\nsystem = "jax"', "option*"),
        ("jax_enable_x64 = 1", "jax_enable_x64"),
        ("jax_enable_x64 = ", "TOML"),
    ],
)
def test_an_invalid_option_is_a_one_line_error(options: str, key: str, tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "options_faulty.py").write_text("x = 1\n")
    if key == "TOML":
        # mypy itself reads pyproject.toml; a configuration file of the plugin gives the plugin's own error.
        (tmp_path / "promo-mypy.toml").write_text(options)
        options = ""
    run = run_mypy(tmp_path, "options_faulty.py", cache=plugin_cache, options=options)
    assert run.status == 2
    (line,) = run.output.strip().splitlines()
    assert key in line
    assert ".toml" in line


def test_options_are_read_beside_mypy_ini(tmp_path: Path) -> None:
    write_libraries(tmp_path)
    (tmp_path / "options_ini.py").write_text(PROGRAM)
    (tmp_path / "promo-mypy.toml").write_text("jax_enable_x64 = true\n")
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = promo_mypy.plugin\n")
    run = run_mypy(tmp_path, "options_ini.py", "--config-file", "mypy.ini", cache=tmp_path / "cache")
    assert list(run.revealed().values())[2] == "Array[int64]", run.output
