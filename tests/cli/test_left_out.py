"""A file that cannot be parsed: the commands go on without it, and report it in the output and the exit status."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mypy_runs import configuration
from tests.program.executed import run_command
from tests.slow_tests import slow_but

GOOD = """\
import numpy as np
import numpy.typing as npt

def double(x: npt.NDArray[np.float32]) -> None:
    x / np.int64(2)
"""
#: File -> its text, and the first Python that can parse it.
NEWER = {
    "generic_function.py": ("def first[T](x: T) -> T:\n    return x\n", (3, 12)),
    "generic_class.py": ("class Box[T]:\n    content: T\n", (3, 12)),
    "type_statement.py": ("import numpy as np\ntype Image = np.ndarray\n", (3, 12)),
    "nested_quotes.py": ('names = {"a": 1}\nprint(f"{names["a"]}")\n', (3, 12)),
    "except_without_parentheses.py": ("try:\n    x = 1\nexcept ValueError, TypeError:\n    x = 2\n", (3, 14)),
}
#: File -> its bytes, and the message about it.
FAULTY = {
    "broken.py": (b"x = (\n", r"mypy cannot parse it: .+, line \d"),
    "undecodable.py": (b"# \xff\nx = 1\n", "Cannot decode file: .*0xff.*"),
    "null.py": (b"x = 1\n\0\ny = 2\n", "mypy cannot parse it: .*"),
}
OF_GOOD = ["float32", "float64", "int64"]
PORT = ("port", "--from", "numpy", "--to", "torch")


@pytest.fixture
def folder(tmp_path: Path, plugin_cache: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    (tmp_path / "good.py").write_text(GOOD)
    for name, (text, _) in NEWER.items():
        (tmp_path / name).write_text(text)
    for name, (content, _) in FAULTY.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def _json(folder: Path, *arguments: str) -> tuple[int, str, Any]:
    done = run_command(folder, *arguments, "--format", "json")
    return done.returncode, done.stderr, json.loads(done.stdout)


@pytest.mark.parametrize("name", slow_but(["type_statement.py"], NEWER))
def test_newer_syntax(name: str, folder: Path) -> None:
    status, errors, found = _json(folder, "infer", "good.py", name)
    assert sorted(each["dtype"] for each in found["expressions"] if each["path"] == "good.py") == sorted(OF_GOOD)
    if sys.version_info >= NEWER[name][1]:
        assert (status, found["left_out"], found["files"]) == (0, [], sorted(["good.py", name]))
        return
    running = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    (left_out,) = found["left_out"]
    assert left_out["path"] == name
    assert re.fullmatch(rf"{running} cannot parse it: .+, line \d; a newer Python may", left_out["reason"])
    assert f"promo-mypy: left out {name}: {left_out['reason']}\n" in errors
    assert (status, found["files"]) == (2, ["good.py"])


@pytest.mark.parametrize("name", slow_but(["broken.py"], FAULTY))
def test_the_other_files_of_a_faulty_one_are_reported(name: str, folder: Path) -> None:
    status, errors, found = _json(folder, "infer", "good.py", name)
    assert [each["dtype"] for each in found["expressions"]] == OF_GOOD
    (left_out,) = found["left_out"]
    assert left_out["path"] == name
    assert re.fullmatch(FAULTY[name][1], left_out["reason"])
    assert errors == f"promo-mypy: left out {name}: {left_out['reason']}\n"
    assert (status, found["files"]) == (2, ["good.py"])


@pytest.mark.slow
def test_all_faulty_files_at_once_are_left_out(folder: Path) -> None:
    (folder / "good.py").write_text("import broken\nfrom null import y\n" + GOOD)
    too_new = {name for name, (_, version) in NEWER.items() if sys.version_info < version}
    names = ["good.py", *NEWER, *FAULTY]
    status, _, found = _json(folder, "coverage", *names)
    assert {file["path"] for file in found["files"]} == {"good.py"} | NEWER.keys() - too_new
    assert [each["path"] for each in found["left_out"]] == sorted({*FAULTY, *too_new})
    assert (status, found["exact"]) == (2, 3)
    # mypy parses a file that is too new for the running Python; the survey skips it.
    status, _, found = _json(folder, *PORT, *names)
    assert [each["path"] for each in found["left_out"]] == sorted(FAULTY)
    assert (status, found["files_checked"], found["differing"]) == (2, 1 + len(NEWER), 1)


@pytest.mark.slow
def test_html_pages_name_it(folder: Path) -> None:
    for command in (("coverage",), PORT):
        done = run_command(folder, *command, "good.py", "broken.py", "--format", "html")
        assert "<p>Left out: broken.py: mypy cannot parse it: " in done.stdout
        assert done.returncode == 2


def test_a_package_whose_own_file_is_faulty(folder: Path) -> None:
    (folder / "pkg").mkdir()
    (folder / "pkg" / "__init__.py").write_text("x = (\n")
    (folder / "pkg" / "module.py").write_text(GOOD)
    _, _, found = _json(folder, "infer", "pkg")
    assert found["files"] == ["pkg/module.py"]
    assert [each["path"] for each in found["left_out"]] == ["pkg/__init__.py"]
    assert [each["dtype"] for each in found["expressions"]] == OF_GOOD


def test_low_coverage_is_reported_as_well(folder: Path) -> None:
    done = run_command(folder, "coverage", "good.py", "broken.py", "--fail-under", "100")
    assert done.returncode == 2
    (folder / "good.py").write_text(GOOD + "    np.load('a')['b']\n")
    done = run_command(folder, "coverage", "good.py", "broken.py", "--fail-under", "100")
    assert (done.returncode, "% is less than 100 %" in done.stderr) == (2, True)


@pytest.mark.parametrize("name", [*FAULTY, "generic_function.py"])
def test_a_faulty_file_alone_ends_the_command(name: str, folder: Path) -> None:
    done = run_command(folder, "infer", name)
    if name in FAULTY or sys.version_info < (3, 12):
        assert (done.returncode, done.stdout) == (2, "")
        assert f"promo-mypy: error: {name}:" in done.stderr


def test_another_reason_to_give_up_ends_the_run(folder: Path, plugin_cache: Path) -> None:
    """The companion test: not every message of mypy is about a file that could be left out."""
    (folder / "pyproject.toml").write_text(configuration(plugin_cache) + '[tool.promo-mypy]\nsystem = "nosuch"\n')
    done = run_command(folder, "infer", "good.py", "broken.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nosuch" in done.stderr


def test_a_file_that_is_only_imported_is_left_out(folder: Path) -> None:
    (folder / "importing.py").write_text(f"import broken, null\nx: int = ''\n{GOOD}")
    status, errors, found = _json(folder, "infer", "importing.py")
    assert (status, found["files"]) == (2, ["importing.py"])
    assert {each["path"] for each in found["left_out"]} == {"broken.py", "null.py"}
    assert "left out broken.py: mypy cannot parse it: " in errors
    assert "left out null.py: mypy cannot parse it: " in errors
    assert "mypy finds an error in this code" in errors
