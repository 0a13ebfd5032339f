"""Declared dtypes are enforced, inferred ones are not: each principle on programs, against mypy without the plugin.

A comment marks the lines where only the plugin reports an error, because of a declared dtype. Everything else is the
same as without the plugin, by file, line and code.
"""

import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import Message, run_mypy
from tests.needed import needs
from tests.plugin.inferred.provenance.programs import LIBRARIES, TEXTS, UNTYPED

RUNNING: Final = [name for name, text in TEXTS.items() if "__main__" in text]
DECLARED: Final = "  # declared"

Place = tuple[str, int, str | None]


def _write(folder: Path) -> None:
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")


def _places(messages: list[Message]) -> Counter[Place]:
    return Counter((message.file, message.line, message.code) for message in messages)


def _declared() -> set[tuple[str, int]]:
    """The lines with an error only with the plugin."""
    lines = ((name, text.splitlines()) for name, text in TEXTS.items())
    return {(name, n) for name, text in lines for n, line in enumerate(text, 1) if line.endswith(DECLARED)}


def test_only_a_declared_dtype_makes_an_error(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs(*LIBRARIES)
    _write(tmp_path)
    found = {}
    for plugin, cache in ((True, plugin_cache), (False, stock_cache)):
        run = run_mypy(tmp_path, *TEXTS, cache=cache, plugin=plugin, settings=UNTYPED)
        assert run.status == 1, run.output
        found[plugin] = _places(run.errors())
    assert found[False] - found[True] == Counter()
    assert {(file, line) for file, line, _ in found[True] - found[False]} == _declared()


def test_errors_are_the_same_in_statements_of_many_lines(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    """mypy reports a value, or what the value is for. These may stand in different lines."""
    needs(*LIBRARIES, "ruff")
    _write(tmp_path)
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--config", "line-length = 24"]
    subprocess.run([*command, tmp_path], check=True, capture_output=True)
    found = {}
    for plugin, cache in ((True, plugin_cache), (False, stock_cache)):
        found[plugin] = _places(run_mypy(tmp_path, *TEXTS, cache=cache, plugin=plugin, settings=UNTYPED).errors())
    assert found[False]
    assert found[False] - found[True] == Counter()
    assert {file for file, _, _ in found[True] - found[False]} == {file for file, _ in _declared()}


@pytest.mark.parametrize("name", RUNNING)
def test_the_program_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs(*LIBRARIES)
    _write(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    runpy.run_path(str(tmp_path / name), run_name="__main__")
