"""Every test declares what it needs beyond `.[test]` in one way, and is skipped without it."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.needed import LIBRARIES, PROMISED, imported, installed, needs, needs_program
from tests.passed_tests import WRITTEN
from tests.without_libraries import HIDDEN

ROOT = Path(__file__).resolve().parents[1]


def _collected(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Collect tests with a pytest that finds none of the optional libraries."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.without_libraries", "-p", "no:jaxtyping"]
    variables = {name: value for name, value in os.environ.items() if name != PROMISED} | {"PYTHONPATH": str(ROOT)}
    flags = ["-n", "0", "--collect-only", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, *flags, *arguments], cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_every_file_is_collected_without_the_optional_libraries() -> None:
    done = _collected()
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    skipped = re.findall(r"^SKIPPED \[\d+\] \S+ (.*)$", done.stdout, re.MULTILINE)
    assert len(skipped) > 20
    assert {reason.split(":")[0].removeprefix("needs ") for reason in skipped} <= HIDDEN
    assert done.stdout.count("::") > 4000


def test_the_libraries_are_hidden_only_in_the_subprocess() -> None:
    assert "_Hiding" not in {type(finder).__name__ for finder in sys.meta_path}


def test_an_undeclared_import_of_a_library_is_found(tmp_path: Path) -> None:
    """The companion test: NumPy is there, and a library that is imported without a declaration is not."""
    (tmp_path / "test_silent.py").write_text("import numpy\nimport torch\n\n\ndef test() -> None: ...\n")
    done = _collected(str(tmp_path / "test_silent.py"))
    assert done.returncode != 0
    assert "No module named 'torch'" in done.stdout


def test_only_this_module_asks_what_is_installed() -> None:
    said = re.compile(
        r"importorskip|find_spec\((?!\"numpy\"\))|skipif\(.*(find_spec|which)|except (ImportError|ModuleN)"
    )
    files = [file for file in (ROOT / "tests").rglob("*.py") if file.name not in ("needed.py", "without_libraries.py")]
    found = {file.name for file in files if file != Path(__file__) and said.search(file.read_text(encoding="utf-8"))}
    # Benchmarks that people run by hand leave a library out; the others are programs that mypy reads, and a finder.
    assert found == {"measuring.py", "large.py", "test_imports.py", "test_promo_confirm.py", "trees.py"}


@pytest.mark.slow
def test_a_run_leaves_out_what_another_one_passed(tmp_path: Path) -> None:
    tests = "import pytest\ndef test_good(): ...\ndef test_bad(): assert False\ndef test_skipped(): pytest.skip()\n"
    (tmp_path / "test_three.py").write_text(tests, encoding="utf-8")
    written = tmp_path / "passed.json"
    command = [sys.executable, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml")]
    flags = ["--rootdir", str(tmp_path), "--confcutdir", str(ROOT), "-p", "tests.conftest", str(tmp_path)]
    variables = os.environ | {WRITTEN: str(written), "PYTHONPATH": str(ROOT)}
    first, second = (
        subprocess.run([*command, *more], env=variables, cwd=ROOT, capture_output=True, text=True, check=False).stdout
        for more in (flags, [*flags, f"--passed={written}"])
    )
    assert "1 failed, 1 passed, 1 skipped" in first
    assert "1 failed, 1 skipped" in second


def test_every_extra_of_the_table_exists() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {found[1] for each in LIBRARIES.values() if (found := re.fullmatch(r"\.\[(.*)\]", each))}
    assert named == set(extras)
    assert {*extras["fix"], *extras["lsp"]} <= set(extras["test"])


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIBRARIES, "no_such_library", ".[jax]")
    assert installed("numpy")
    assert not installed("numpy", "no_such_library")
    for ask in (needs, imported):
        with pytest.raises(pytest.skip.Exception, match=r"^needs no_such_library: pip install '\.\[jax\]'$"):
            ask("no_such_library")
    with pytest.raises(pytest.skip.Exception, match=r"^needs no-such-program or no-such-other$"):
        needs_program("no-such-program", "no-such-other")
    monkeypatch.setenv(PROMISED, "torch,no_such_library")
    with pytest.raises(pytest.fail.Exception, match="was promised it"):
        needs("no_such_library")
    with pytest.raises(AssertionError, match="to the table"):
        needs("nunpy")
