"""`promo-mypy infer`: its JSON, its text, its exit status, and mypy's cache."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.json_keys import keys
from tests.mypy_runs import ROOT, configuration
from tests.program.executed import infer_json, run_command

PROGRAM = """\
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pkg.made import made

Path("imported").touch()

def weigh(image: npt.NDArray[np.uint8], x: npt.NDArray[np.floating], unknown: npt.NDArray) -> None:
    image / 255 + made()
    x; unknown
    wrong: int = image
"""
MADE = """\
import numpy as np
import numpy.typing as npt

def made() -> npt.NDArray[np.float32]:
    return np.zeros(2, np.float32)
"""


@pytest.fixture
def folder(tmp_path: Path, plugin_cache: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    (tmp_path / "pkg").mkdir()
    for name, text in {"__init__": "", "weigh": PROGRAM, "made": MADE}.items():
        (tmp_path / "pkg" / f"{name}.py").write_text(text)
    return tmp_path


def of_line(content: dict[str, Any], line: int, file: str = "pkg/weigh.py") -> list[object]:
    return [each["dtype"] for each in content["expressions"] if (each["path"], each["line"]) == (file, line)]


FLOATS = ["float16", "float32", "float64", "float128"]


def test_json(folder: Path) -> None:
    content = infer_json(folder, "pkg")
    assert content["files"] == ["pkg/__init__.py", "pkg/made.py", "pkg/weigh.py"]
    assert content["expressions"][0] == {
        "path": "pkg/made.py", "line": 5, "column": 11, "end_line": 5, "end_column": 34,
        "library": "numpy", "system": "numpy", "dtype": "float32", "weak": False,
    }  # fmt: skip
    assert of_line(content, 11) == ["uint8", "float64", "float64", "float32"]
    assert of_line(content, 12) == [FLOATS, None]
    assert not (folder / "imported").exists()


def test_errors_are_counted_on_stderr_and_change_nothing(folder: Path) -> None:
    done = run_command(folder, "infer", "pkg", "--format", "json")
    assert done.stderr == "promo-mypy: mypy finds an error in this code; run mypy to see\n"
    assert of_line(json.loads(done.stdout), 13) == ["uint8"]


@pytest.mark.slow
def test_named_files_are_checked_and_others_come_from_the_cache(folder: Path) -> None:
    first = infer_json(folder, "pkg/weigh.py")
    assert infer_json(folder, "pkg/weigh.py") == first
    assert {each["path"] for each in first["expressions"]} == {"pkg/weigh.py"}
    made = infer_json(folder, "pkg/made.py")
    assert of_line(made, 5, "pkg/made.py") == ["float32"]
    (folder / "pkg" / "made.py").write_text(MADE.replace("float32", "float64"))
    assert of_line(infer_json(folder, "pkg/weigh.py"), 11) == ["uint8", "float64", "float64", "float64"]


@pytest.mark.slow
def test_ignored_errors_hide_no_code(folder: Path) -> None:
    # A cache of its own, since the libraries are read with other options.
    settings = configuration(folder / "cache", "ignore_errors = true", "pkg.*") + "ignore_errors = true\n"
    (folder / "pyproject.toml").write_text(settings)
    done = run_command(folder, "infer", "pkg", "--format", "json")
    assert of_line(json.loads(done.stdout), 11) == ["uint8", "float64", "float64", "float32"]


@pytest.mark.slow
@pytest.mark.parametrize("listed", ["", 'plugins = ["promo_mypy.plugin"]\n'])
def test_the_configuration_is_followed(listed: str, folder: Path) -> None:
    with (folder / "pyproject.toml").open("a") as file:
        file.write(f'files = ["pkg/weigh.py"]\n{listed}')
        file.write('[[tool.promo-mypy.overrides]]\nmodule = "pkg.weigh"\nsystem = "torch"\n')
    content = infer_json(folder)
    assert content["files"] == ["pkg/weigh.py"]
    assert {each["system"] for each in content["expressions"]} == {"torch"}
    assert of_line(content, 11) == ["uint8", "float32", "float32", "float32"]


TEXT = """\
pkg/weigh.py
   11:5  image                 uint8                                   numpy
   11:5  image / 255           float64                                 numpy
   11:5  image / 255 + made()  float64                                 numpy
  11:19  made()                float32                                 numpy
   12:5  x                     float16 | float32 | float64 | float128  numpy
   12:8  unknown               unknown                                 numpy
  13:18  image                 uint8                                   numpy
"""


def test_text(folder: Path) -> None:
    done = run_command(folder, "infer", "pkg/weigh.py")
    assert (done.stdout, done.returncode) == (TEXT, 0)
    assert run_command(folder, "infer", "pkg/__init__.py").stdout == "No array expressions.\n"


@pytest.mark.slow
def test_json_has_the_keys_that_are_documented(folder: Path) -> None:
    documented = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## The JSON of inferred dtypes\n(.*?)(?=^## |\Z)", documented, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `(.*?)` \|", section, re.MULTILINE)
    (folder / "broken.py").write_text("x = (\n")
    content = json.loads(run_command(folder, "infer", "pkg", "broken.py", "--format", "json").stdout)
    assert list(dict.fromkeys(keys(content))) == rows
    assert "| `version` | 1 |" in section
    assert content["version"] == 1


def test_the_bar_is_only_on_stderr(folder: Path) -> None:
    done = run_command(folder, "infer", "pkg/made.py", FORCE_COLOR="1", TERM="xterm")
    assert "Checking with mypy" in done.stderr
    assert "Checking" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.py",), "promo-mypy: error: missing.py: "),
        (("broken.py",), "promo-mypy: error: broken.py:2: error: "),
        ((), "promo-mypy: error: Missing target module"),
        (("pkg", "--config-file", "no.toml"), "no.toml"),
        (("pkg", "--config-file", "faulty.toml"), 'did you mean "forbid"?'),
        (("pkg", "--format", "html"), "'html' is not one of 'text', 'json'"),
    ],
)
def test_misuse_is_reported_and_exits_with_2(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    (folder / "broken.py").write_text("x = (\n")
    faulty = (folder / "pyproject.toml").read_text() + "[tool.promo-mypy]\nforbit = []\n"
    (folder / "faulty.toml").write_text(faulty)
    done = run_command(folder, "infer", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in re.sub(r"[│\s]+", " ", done.stderr)
    assert "Traceback" not in done.stderr
