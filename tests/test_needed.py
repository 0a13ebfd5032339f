"""Every test declares what it needs beyond `.[test]` in one way, and is skipped without it."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import library_files
from tests.needed import PROMISED, imported, installed, needs, needs_program
from tests.optional_libraries import ALWAYS, LIBRARIES
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
    # Benchmarks that people run by hand leave a library out; the others are a program that mypy reads, and a finder.
    assert found == {"measuring.py", "large.py", "test_imports.py", "test_promo_confirm.py"}


@pytest.mark.parametrize(
    ("file", "test", "asks"),
    [
        ("rules/test_real_torch.py", "any_test", True),  # the whole file asks
        ("packages/test_packages.py", "test_every_difference_is_reviewed", True),
        ("plugin/inferred/provenance/test_provenance.py", "test_only_a_declared_dtype_makes_an_error", True),
        ("test_needed.py", "test_what_is_missing_is_named", True),
        ("test_needed.py", "test_every_extra_of_the_table_exists", False),
        ("test_needed.py", "test_the_libraries_are_hidden_only_in_the_subprocess", False),
        ("rules/test_real_numpy.py", "any_test", False),
        ("packaging/test_release.py", "test_every_extra_resolves", False),
        ("lsp/test_session.py", "any_test", False),  # `.[test]` has what it needs
        ("benchmarks/test_benchmarks.py", "test_instruction_counts_are_reproducible", False),
    ],
)
def test_tests_whose_results_depend_on_libraries(file: str, test: str, asks: bool) -> None:
    """In `.ci/run` the others run only in the environment of the quick start."""
    assert library_files.asks(ROOT / "tests" / file, test) == asks


def test_a_test_asks_by_what_it_uses() -> None:
    sources = {
        "asked": "def needs(): ...\ndef needs_program(): ...",
        "direct": "from asked import needs\n\ndef test_one(): needs('jax')\ndef test_two(): needs('numpy', 'libcst')\n"
        "def helper(): test_one()",
        "indirect": "from direct import helper\nimport direct\n"
        "def test_one(): helper()\ndef test_two(): ...\ndef test_three(): direct.test_two()",
        "whole": "from asked import needs\nneeds('jax')\ndef test(): ...",
        "of_whole": "from whole import anything\ndef test(): anything()\ndef other(): ...",
        "folder.conftest": "from asked import needs\n@fixture\ndef library(): needs('jax')\n@fixture\ndef plain(): ...",
        "folder.tests": "def test_one(library): ...\ndef test_two(plain): ...\n"
        "@usefixtures('library')\ndef test_three(): ...",
        "autouse": "from asked import needs\n@fixture(autouse=True)\ndef library(): needs('jax')\ndef test(): ...",
        "constant": "from direct import helper\nFOUND = helper()\n"
        "@parametrize(FOUND)\ndef test_one(): ...\ndef test_two(): ...",
        "top": "from asked import needs\nlibrary = needs(name)\ndef test(): ...",
        "always": "from asked import needs, needs_program\nneeds('pygls')\nPATH = needs_program()\ndef test(): ...",
    }
    modules = {name: library_files.Module(name, ast.parse(text)) for name, text in sources.items()}
    found = library_files.asking(modules, "asked")
    assert {(module, name) for module, name in found if name not in ("?", "library", "helper", "FOUND")} == {
        ("direct", "test_one"), ("indirect", "test_one"), ("indirect", "test_three"), ("constant", "test_one"),
        ("of_whole", "test"), ("folder.tests", "test_one"), ("folder.tests", "test_three"),
        ("autouse", "*"), ("whole", "*"), ("top", "*"),
    }  # fmt: skip


def test_every_extra_of_the_table_exists() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {found[1] for each in LIBRARIES.values() if (found := re.fullmatch(r"\.\[(.*)\]", each))}
    assert named == set(extras)
    assert {*extras["fix"], *extras["lsp"]} <= set(extras["test"])
    assert {"numpy", "libcst", "pygls", "pylsp"} <= ALWAYS
    assert not ALWAYS & {"jax", "sphinx"}


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
