"""The input of an editor: mypy's JSON lines, from a run and from the daemon, with our codes and positions."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import page
from tests.mypy_runs import environment

PROGRAM = """\
import numpy as np
import numpy.typing as npt


def fade(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    image *= {factor}
    return image


def shift(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return image + 300
"""
SETTINGS = '[tool.mypy]\nstrict = true\nplugins = ["promo_mypy.plugin"]\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "fade.py").write_text(PROGRAM.format(factor="0.5"))
    return tmp_path


def _command(program: str) -> list[str]:
    """The command that the documentation recommends for editors, on one file."""
    (line,) = re.findall(rf"^{program} .*--output json.*$", page("docs/editors.md"), re.MULTILINE)
    name, *arguments = shlex.split(line)
    assert arguments[-1] == "."
    module = {"mypy": "mypy", "dmypy": "mypy.dmypy"}[name]
    return [sys.executable, "-m", module, *arguments[:-1]]


def _diagnostics(project: Path, command: list[str], cache: Path) -> list[dict[str, Any]]:
    done = subprocess.run(
        [*command, "--cache-dir", str(cache), "fade.py"],
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _places(diagnostics: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    keys = ("file", "line", "column", "end_line", "end_column", "severity", "code")
    return [tuple(diagnostic[key] for key in keys) for diagnostic in diagnostics]


# Lines count from 1 and columns from 0, as in Python's own syntax trees.
FADE = ("fade.py", 6, 4, 6, 16, "error", "promo-inplace")
SHIFT = ("fade.py", 11, 11, 11, 22, "error", "promo-overflow")


def test_a_run_gives_json(project: Path, plugin_cache: Path) -> None:
    found = _diagnostics(project, _command("mypy"), plugin_cache)
    assert _places(found) == [FADE, SHIFT]
    assert all("uint8" in diagnostic["message"] for diagnostic in found)


@pytest.mark.slow
def test_the_daemon_gives_json_and_follows_edits(project: Path, plugin_cache: Path) -> None:
    command = _command("dmypy")
    try:
        assert _places(_diagnostics(project, command, plugin_cache)) == [FADE, SHIFT]
        # An editor saves: only the error that was fixed disappears. (The daemon overlooks a quick edit of equal size.)
        (project / "fade.py").write_text(PROGRAM.format(factor="2  # mended"))
        assert _places(_diagnostics(project, command, plugin_cache)) == [SHIFT]
    finally:
        subprocess.run([*command[:3], "kill"], cwd=project, env=environment(), check=False, capture_output=True)
