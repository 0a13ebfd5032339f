"""Only an error that depends on a type of the plugin makes it check a function aside."""

import os
from pathlib import Path
from textwrap import dedent

import pytest

from tests.mypy_runs import run_mypy

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the recorder is imported into a process that forks")

_PROGRAM = dedent("""\
    import numpy as np
    def operand(x: int | None, a: np.ndarray) -> int:
        b = a + np.ones(3)
        return x + 1 if a is not None else 2
    def attribute(x: int | None, a: np.ndarray) -> np.ndarray:
        b = a + np.ones(3)
        return b + x.real
    def count(x: str, a: np.ndarray) -> None:
        b = a + np.ones(3)
        print(b[0], len(x, 1))
    def array(a: np.ndarray) -> None:
        b = np.ones(3) * 2
        b.wrong
    def narrowed(x: int | str, a: np.ndarray) -> None:
        if x == np.ones(3)[0]:
            return
        x.real
    """)
#: The first lines of the functions with an error that depends on what the plugin knows of an array.
_DEPENDENT = {11, 14}


def test_stock_mypy_is_asked_about_dependent_errors_alone(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "questions.py").write_text(_PROGRAM, encoding="utf-8")
    recorder = "tests.plugin.inferred.aside.asking"
    run = run_mypy(tmp_path, "questions.py", cache=plugin_cache, imported=(recorder,))
    assert {error.line for error in run.errors()} == {4, 7, 10, 13, 17}, run.output
    asked = (tmp_path / "asked.txt").read_text(encoding="utf-8").split()
    assert set(map(int, asked)) == _DEPENDENT, run.output


_UNPACKED = dedent("""\
    from typing import Any
    import numpy as np
    def unpacked(x: Any) -> None:
        b = np.ones(3) * 2
        n, m, k = *x, b
        b.wrong
        print(n)
        b.missing
    """)


def test_a_function_is_checked_once_if_mypy_never_infers_one_of_its_variables(
    tmp_path: Path, plugin_cache: Path
) -> None:
    (tmp_path / "unpacked.py").write_text(_UNPACKED, encoding="utf-8")
    recorder = "tests.plugin.inferred.aside.asking"
    run = run_mypy(tmp_path, "unpacked.py", cache=plugin_cache, imported=(recorder,))
    assert {error.line for error in run.errors()} == {5, 6, 7, 8}, run.output
    assert (tmp_path / "asked.txt").read_text(encoding="utf-8").split() == ["3"]
