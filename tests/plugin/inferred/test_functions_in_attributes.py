"""An attribute that holds a function gets another one: mypy's error has nothing to do with dtypes, so it is shown.

The attribute begins as None in its class. A check aside has its type already, where mypy infers it: so this is no
program of `provenance`, each of which is checked aside, too.
"""

from pathlib import Path

from tests.mypy_runs import run_mypy

PROGRAM = """\
import sys
import numpy as np

class Logger:
    original = None

    def enable(self, prompt: bool) -> None:
        if prompt:
            self.original = lambda kind, value, traceback: None
        else:
            self.original = sys.excepthook
        self.shape = np.zeros(3).shape
"""


def test_an_error_about_functions_is_shown(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    caches = {True: plugin_cache, False: stock_cache}
    found = {plugin: run_mypy(tmp_path, "program.py", cache=caches[plugin], plugin=plugin) for plugin in caches}
    errors = {plugin: [(each.line, each.code) for each in run.errors()] for plugin, run in found.items()}
    assert errors == {plugin: [(11, "assignment")] for plugin in caches}
