"""Every place where an annotation with a dtype may stand, over the real libraries."""

from pathlib import Path

from tests.mypy_runs import override, run_mypy
from tests.needed import needs
from tests.plugin.annotations.programs import broken_promises, source

needs("jaxtyping")


def test_jax_and_numpy(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "equinox")
    (tmp_path / "program.py").write_text(source("jax_forms"))
    # Without x64 some of these dtypes do not exist, and promo-truncation reports that.
    x64 = override("program", "jax_enable_x64 = true")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, options=x64)
    assert run.messages == ()
    assert run.status == 0


def test_the_program_fails_without_the_plugin(tmp_path: Path, stock_cache: Path) -> None:
    """Without the plugin there are no dtypes to assert, so that the program fails."""
    needs("jax", "equinox")
    text = source("jax_forms")
    (tmp_path / "program.py").write_text(text)
    run = run_mypy(tmp_path, "program.py", cache=stock_cache, plugin=False)
    wrong = {message.line for message in run.errors()}
    dtypes = {number for number, line in enumerate(text.splitlines(), 1) if "assert_type(" in line and "dt." in line}
    assert len(dtypes) > 70
    assert dtypes <= wrong


def test_torch(tmp_path: Path, plugin_cache: Path) -> None:
    needs("torch")
    text = source("torch_forms")
    (tmp_path / "programs.py").write_text(text)
    run = run_mypy(tmp_path, "programs.py", cache=plugin_cache)
    assert broken_promises(run, text) == {}
    assert run.errors() == []


def test_type_variables(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "torch")
    text = source("type_variables")
    (tmp_path / "program.py").write_text(text)
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert broken_promises(run, text) == {}
    assert run.errors() == []


def test_python_3_13(tmp_path: Path, plugin_cache: Path) -> None:
    """mypy parses the syntax of later versions than the one that runs it."""
    needs("jax")
    (tmp_path / "program.py").write_text(source("new_syntax"))
    run = run_mypy(tmp_path, "program.py", "--python-version", "3.13", cache=plugin_cache)
    assert run.messages == ()
    assert run.status == 0
