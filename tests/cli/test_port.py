"""`promo-mypy port`: its findings, formats and exit status."""

import ast
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.json_keys import keys
from tests.mypy_runs import ROOT, configuration, environment, override, run_mypy
from tests.needed import needs
from tests.program.executed import infer_json, run_command

PROGRAM = """\
from pathlib import Path

import numpy as np
import numpy.typing as npt

Path("imported").touch()

def weigh(i: npt.NDArray[np.int32], a: npt.NDArray[np.float32], u: npt.NDArray[np.uint8], x: npt.NDArray[np.floating]):
    a + a, i + u, x * a
    first = i * a
    second = [(i * a) + 1 for _ in range(2)]
    third = u / 255
    fourth = divmod(a, a)
    i * a  # type: ignore[promo-portability]
    while third.size:
        third = third * 2
    return first, second, fourth
"""
OTHER = """\
import numpy as np
import numpy.typing as npt

def pairs(
    i: npt.NDArray[np.int32],
    a: npt.NDArray[np.float32],
) -> None:
    (
        i
        * a
    )
"""
PORTABLE = """\
import numpy as np
import numpy.typing as npt

def double(a: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return a * 2
"""
CAST = "cast the float32 operand with x.astype(np.float64)"
MULTIPLIED = ("*", ["int32", "float32"], "float64", "float32", None, CAST)


@pytest.fixture
def folder(tmp_path: Path, plugin_cache: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    (tmp_path / "pkg").mkdir()
    for name, text in {"__init__": "", "weigh": PROGRAM, "other": OTHER, "portable": PORTABLE}.items():
        (tmp_path / "pkg" / f"{name}.py").write_text(text)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in its own process, as users run it."""
    return run_command(folder, "port", *arguments)


def survey(folder: Path, source: str, target: str, *paths: str) -> dict[str, Any]:
    done = run(folder, "--from", source, "--to", target, "--format", "json", *paths)
    assert done.returncode in (0, 1), done.stderr
    content: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == bool(content["differing"])
    return content


def _causes(content: dict[str, Any], file: str) -> list[tuple[object, ...]]:
    keys = ("operator", "operands", "result", "ported", "reason", "remedy")
    (found,) = [each for each in content["files"] if each["file"] == file]
    return [tuple(cause[key] for key in keys) for cause in found["causes"]]


def test_every_operation_that_differs_is_found_by_file_and_cause(folder: Path) -> None:
    content = survey(folder, "numpy", "torch", "pkg")
    assert (content["from"], content["to"], content["files_checked"]) == ("numpy", "torch", 4)
    assert [(each["file"], each["differing"]) for each in content["files"]] == [
        ("pkg/other.py", 1),
        ("pkg/weigh.py", 4),
    ]
    refused = ("divmod()", ["float32", "float32"], "float32", None, "PyTorch's arrays do not support divmod()")
    assert _causes(content, "pkg/other.py") == [MULTIPLIED]
    assert _causes(content, "pkg/weigh.py") == [
        MULTIPLIED,
        ("/", ["uint8", "255"], "float64", "float32", None, "cast the uint8 operand with x.astype(np.float64)"),
        (*refused, "no cast of the operands helps, so write it another way"),
    ]
    counts = [cause["count"] for each in content["files"] for cause in each["causes"]]
    assert counts == [1, 2, 1, 1]
    assert sum(counts) == content["differing"] == 5
    assert content["operations"] > content["differing"]


def test_a_finding_is_at_its_expression(folder: Path) -> None:
    content = survey(folder, "numpy", "jax", "pkg")
    texts = {}
    for each in content["files"]:
        source = (folder / each["file"]).read_text().splitlines()
        for cause in each["causes"]:
            for place in cause["places"]:
                lines = source[place["line"] - 1 : place["end_line"]]
                lines[-1] = lines[-1][: place["end_column"]]
                lines[0] = lines[0][place["column"] :]
                texts[each["file"], place["line"]] = ast.unparse(ast.parse("(" + "\n".join(lines) + ")"))
    assert texts == {
        ("pkg/other.py", 9): "i * a",
        ("pkg/weigh.py", 10): "i * a",
        ("pkg/weigh.py", 11): "i * a",
        ("pkg/weigh.py", 12): "u / 255",
    }


@pytest.mark.slow
def test_the_plugin_itself_reports_the_same_lines(folder: Path, plugin_cache: Path) -> None:
    content = survey(folder, "numpy", "torch", "pkg")
    places = {
        (each["file"], place["line"])
        for each in content["files"]
        for cause in each["causes"]
        for place in cause["places"]
    }
    options = override("pkg.*", 'portable_to = ["torch"]')
    plain = run_mypy(folder, "pkg", cache=plugin_cache, options=options)
    errors = {(error.file, error.line) for error in plain.errors() if error.code == "promo-portability"}
    assert errors == places


def test_the_code_is_not_imported_and_a_second_run_finds_the_same(folder: Path) -> None:
    first = survey(folder, "numpy", "jax", "pkg")
    assert survey(folder, "numpy", "jax", "pkg") == first
    assert first["differing"]
    assert not (folder / "imported").exists()


def cached_libraries(cache: Path) -> set[tuple[str, float]]:
    """The NumPy files in the cache of our own commands, and when they were written."""
    found: set[tuple[str, float]] = set()
    for database in (cache / "promo-mypy-runs").glob("*/cache.*.db"):
        with closing(sqlite3.connect(database)) as opened:
            found.update(opened.execute("SELECT path, mtime FROM files2 WHERE path LIKE 'numpy/%'"))
    return found


def test_the_libraries_are_read_once_for_all_commands(folder: Path, plugin_cache: Path) -> None:
    infer_json(folder, "pkg")
    before = cached_libraries(plugin_cache)
    assert len(before) > 100
    survey(folder, "numpy", "torch", "pkg")
    assert cached_libraries(plugin_cache) == before


@pytest.mark.slow
def test_the_configuration_is_followed_except_for_systems_and_policies(folder: Path) -> None:
    # A cache of its own, since the libraries are read with other options.
    (folder / "pyproject.toml").write_text(configuration(folder / "cache"))
    with (folder / "pyproject.toml").open("a") as file:
        file.write('disable_error_code = ["promo"]\nplugins = ["promo_mypy.plugin"]\nfiles = ["pkg/weigh.py"]\n')
        file.write('[tool.promo-mypy]\nsystem = "jax"\nforbid = ["float64"]\nportable_to = ["torch"]\n')
        file.write('[[tool.promo-mypy.overrides]]\nmodule = "pkg.weigh"\nsystem = "torch"\nforbid = ["int32"]\n')
    content = survey(folder, "numpy", "jax")
    assert content["files_checked"] == 1
    assert [each["differing"] for each in content["files"]] == [3]


JAX = """\
from jaxtyping import Array, Float32, Int32
import numpy as np
import numpy.typing as npt
def mix(x: Float32[Array, "n"], i: Int32[Array, "n"], d: npt.NDArray[np.float64]) -> None:
    x * d
    x * i
    d * 2
"""


@pytest.mark.parametrize(
    ("source", "target", "operations", "differing"),
    [
        ("jax", "numpy", 2, [("float32", "int32")]),
        ("jax-x32", "numpy", 2, [("float32", "float64"), ("float32", "int32")]),
        ("jax-x32", "jax", 2, [("float32", "float64")]),
        ("numpy", "jax", 1, []),
        ("numpy", "jax-x32", 1, [("float64", "2")]),
        ("torch", "jax", 0, []),
    ],
)
def test_arrays_follow_the_system_that_is_named(
    source: str, target: str, operations: int, differing: list[tuple[str, ...]], folder: Path
) -> None:
    needs("jax", "jaxtyping")
    (folder / "mixture.py").write_text(JAX)
    content = survey(folder, source, target, "mixture.py")
    assert content["operations"] == operations
    assert [tuple(c["operands"]) for each in content["files"] for c in each["causes"]] == differing


# -- formats -----------------------------------------------------------------------------------------------------------

TEXT = """\
numpy -> torch: 4 of 9 operations differ in 1 file; 1 file checked.

pkg/weigh.py (4)
  int32 * float32: float64 under numpy, float32 under torch (2)
    lines 10, 11
    cast the float32 operand with x.astype(np.float64)
  uint8 / 255: float64 under numpy, float32 under torch (1)
    line 12
    cast the uint8 operand with x.astype(np.float64)
  divmod(float32, float32): float32 under numpy, rejected under torch (PyTorch's arrays do not support divmod()) (1)
    line 13
    no cast of the operands helps, so write it another way
"""


def test_text(folder: Path) -> None:
    done = run(folder, "--from", "numpy", "--to", "torch", "pkg/weigh.py")
    assert (done.stdout, done.stderr, done.returncode) == (TEXT, "", 1)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("portable.py", "numpy -> jax: 0 of 1 operation differ; 1 file checked.\n"),
        ("__init__.py", "No operation of known dtype follows numpy in 1 file.\n"),
    ],
)
def test_nothing_differs(file: str, text: str, folder: Path) -> None:
    done = run(folder, "--from", "numpy", "--to", "jax", f"pkg/{file}")
    assert (done.stdout, done.returncode) == (text, 0)


def test_html_is_one_page_for_light_and_dark(folder: Path) -> None:
    done = run(folder, "--from", "numpy", "--to", "torch", "pkg", "--format", "html", "-o", "port.html")
    assert (done.stdout, done.returncode) == ("", 1)
    page = (folder / "port.html").read_text()
    assert not re.search(r"https?:|<link|<script|src=|url\(|@import", page)
    assert "prefers-color-scheme:dark" in page
    assert page.count("<tr>") == page.count("</tr>") == 2 + 1 + 3
    rows = [re.sub(r"<.*?>", "|", row) for row in re.findall(r"<tr>(<td>.*?)</tr>", page)]
    assert [[cell for cell in row.split("|") if cell] for row in rows[:2]] == [
        ["int32 * float32", "float64", "float32", "1", "9", MULTIPLIED[-1]],
        ["int32 * float32", "float64", "float32", "2", "10, 11", MULTIPLIED[-1]],
    ]
    assert "PyTorch&#x27;s arrays do not support divmod()" in page


def test_json_has_the_keys_that_are_documented(folder: Path) -> None:
    documented = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## The JSON of a survey\n(.*?)(?=^## |\Z)", documented, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `(.*?)` \|", section, re.MULTILINE)
    (folder / "broken.py").write_text("x = (\n")
    arguments = ("--from", "numpy", "--to", "torch", "--format", "json", "pkg", "broken.py")
    content = json.loads(run(folder, *arguments).stdout)
    assert list(dict.fromkeys(keys(content))) == rows
    assert "| `version` | 1 |" in section
    assert content["version"] == 1


PROGRESS = """\
import sys
from pathlib import Path
from promo_mypy.port.survey import survey
steps = []
survey([Path("pkg")], "numpy", "jax", progress=lambda *step: steps.append(step))
for step in steps:
    print(*step)
"""


def test_progress_counts_what_is_read_and_then_checked(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRESS], cwd=folder, env=environment(), capture_output=True, text=True, check=True
    )
    # The four modules of the package; the libraries are in the cache.
    read = [f"Reading modules {number} None" for number in range(1, 5)]
    assert done.stdout.splitlines() == [*read, *(f"Checking with mypy {number} 4" for number in range(1, 5))]


def test_the_bar_is_only_on_stderr(folder: Path) -> None:
    arguments = ("port", "--from", "numpy", "--to", "jax", "pkg/portable.py")
    done = run_command(folder, *arguments, FORCE_COLOR="1", TERM="xterm")
    assert "Checking with mypy" in done.stderr
    assert "Checking" not in done.stdout


# -- misuse ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--from", "numpy", "--to", "nunpy", "pkg"), "did you mean numpy"),
        (("--from", "numpy", "--to", "numpy", "pkg"), "the code follows numpy already"),
        (("--from", "numpy", "pkg"), "Missing option '--to'"),
        (("--from", "numpy", "--to", "jax", "missing.py"), "promo-mypy: error: missing.py: "),
        (("--from", "numpy", "--to", "jax", "broken.py"), "promo-mypy: error: broken.py:2: error: "),
        (("--from", "numpy", "--to", "jax"), "promo-mypy: error: Missing target module"),
        (("--from", "numpy", "--to", "jax", "pkg", "--config-file", "no.toml"), "no.toml"),
        (("--from", "numpy", "--to", "jax", "pkg", "--config-file", "faulty.toml"), 'did you mean "forbid"?'),
    ],
)
def test_misuse_is_reported_and_exits_with_2(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    (folder / "broken.py").write_text("x = (\n")
    faulty = (folder / "pyproject.toml").read_text() + "[tool.promo-mypy]\nforbit = []\n"
    (folder / "faulty.toml").write_text(faulty)
    done = run(folder, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in re.sub(r"[│\s]+", " ", done.stderr)
    assert "Traceback" not in done.stderr
