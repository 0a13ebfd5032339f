"""Let one run of pytest write down which tests passed, and another one leave them out.

`.ci/run` takes the tests in two environments: without the optional libraries, as the quick start of the README does,
and with them. What passes without them says the same with them, because a test asks for a library by `tests.needed`
alone, and is skipped without it.
"""

import json
import os
from pathlib import Path
from typing import Final

import pytest

from tests.slow_tests import deselect

#: The environment variable with the file that a run writes.
WRITTEN: Final = "PROMO_MYPY_PASSED_TESTS"


class PassedTests:
    """A plugin of pytest: it writes the names of the tests that passed, as a list in JSON."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._passed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that passed."""
        if report.when == "call" and report.passed:
            self._passed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write the file."""
        self._file.write_text(json.dumps(self._passed, indent=0), encoding="utf-8")


def write_if_asked(config: pytest.Config) -> None:
    """Write the file that the environment variable names. A pytest that a test starts is not asked."""
    file = os.environ.pop(WRITTEN, None)
    if file and not hasattr(config, "workerinput"):  # one process collects the reports of all workers
        config.pluginmanager.register(PassedTests(Path(file)))


def leave_out(file: Path, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that passed in the run that wrote this file."""
    passed = frozenset(json.loads(file.read_text(encoding="utf-8")))
    deselect(config, items, lambda item: item.nodeid in passed)
