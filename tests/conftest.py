"""Fixtures that all tests share."""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]  # pytest-xdist has no types

from promo_mypy.plugin.mypy_api.checker import failure_reports
from promo_mypy.rules.findings import Finding
from tests import passed_tests, slow_tests

# JAX compares every frame of a traceback with its own folders: a fifth of the time of the tests that ask it for dtypes.
os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")

#: Files whose tests use mypy's cache of our own commands or of stock mypy. One worker runs them all, so that it reads
#: the same libraries once. The cache of mypy with the plugin is used by most files; every worker fills one.
#: With many workers it is faster to read them side by side.
_TOGETHER = (
    "tests/agreement/",
    "tests/annotating/",
    "tests/cli/",
    "tests/layouts/",
    "tests/lsp/",
    "tests/program/",
    "tests/plugin/calls/test_exported_arrays.py",
    "tests/plugin/calls/test_named_tuples.py",
    "tests/plugin/calls/test_registry_calls.py",
    "tests/plugin/operators/test_unknown_dtypes.py",
    "tests/runtime/validation/test_agreement.py",
    "tests/benchmarks/",
    "tests/provenance_programs/",
    "tests/docs/test_walkthroughs.py",
    "tests/plugin/annotations/test_forms.py",
    "tests/plugin/promote/test_programs.py",
    "tests/plugin/inferred/test_axis_lengths.py",
    "tests/plugin/inferred/test_bound_to_anything.py",
    "tests/plugin/mypy_api/test_file_start.py",
    "tests/plugin/runs/test_library_modules.py",
    "tests/plugin/inferred/test_quiet_programs.py",
    "tests/plugin/inferred/test_rebinding.py",
    "tests/plugin/types/test_recursive_aliases.py",
    "tests/plugin/calls/test_stock_calls.py",
    "tests/plugin/operators/test_stock_fallback.py",
    "tests/plugin/annotations/test_type_variables.py",
    "tests/plugin/operators/test_unions.py",
)

_FEW_WORKERS = 4

#: Files that take a minute or more. They go first, so that no worker is left with one at the end.
_FIRST = (*_TOGETHER, "tests/packages/", "tests/other_libraries/", "tests/numpy_typing/")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests out, and move the slow files to the front; the rest stays in its order."""
    slow_tests.leave_out(config, items)
    passed: Path | None = config.getoption("--passed")
    if passed:
        passed_tests.leave_out(passed, config, items)
    items.sort(key=lambda item: not item.nodeid.startswith(_FIRST))


class _Together(LoadFileScheduling):  # type: ignore[misc]  # of a class without types
    def _split_scope(self, nodeid: str) -> str:
        """The group of tests that one worker runs as a whole."""
        is_few = self.numnodes <= _FEW_WORKERS
        return "together" if is_few and nodeid.startswith(_TOGETHER) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """Replace the scheduler of `--dist loadfile`."""
    return _Together(config, log)


def pytest_sessionstart() -> None:
    """Ask NumPy's ufuncs for all of its dtypes once, before a test passes `out=`.

    NumPy caches the loop that it finds first: after `np.sin(bools, out=bfloats)`, `np.sin(bools)` gives bfloat16.
    """
    arrays = [np.ones(1, code) for code in "?bBhHiIlLqQefdgFDG"]
    with np.errstate(all="ignore"):
        for ufunc in {each for each in vars(np).values() if isinstance(each, np.ufunc)}:
            for operands in product(arrays, repeat=ufunc.nin):
                with suppress(TypeError, ValueError):
                    ufunc(*operands)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of this project's tests.

    A folder for mypy's caches outlasts the run: a second run finds the array libraries there, each worker its own.
    """
    parser.addoption("--mypy-caches", type=Path, help="a folder where mypy's caches are kept for the next run")
    # With `=`: pytest would take a path that stands alone for the tests to run.
    help_text = f"--passed=FILE: leave out what passed in a run that wrote the file, by {passed_tests.WRITTEN}"
    parser.addoption("--passed", type=Path, help=help_text)
    parser.addoption("--all", action="store_true", help="also run the tests that take long")


def pytest_report_header(config: pytest.Config) -> str:
    """Say whether something is left out."""
    return "slow tests: run" if slow_tests.runs_all(config) else "slow tests: left out (pytest --all runs them)"


def pytest_configure(config: pytest.Config) -> None:
    """Note which tests pass, if that is asked for."""
    passed_tests.write_if_asked(config)


def _cache(name: str, config: pytest.Config, factory: pytest.TempPathFactory) -> Path:
    kept: Path | None = config.getoption("--mypy-caches")
    if kept is None:
        return factory.mktemp(name)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    return kept / worker / name


@pytest.fixture(scope="session")
def failures() -> Iterator[list[str]]:
    """The failures of the plugin in runs of mypy in this process."""
    about, found = failure_reports.finding_about, list[str]()

    def recorded(defect: Exception) -> Finding:
        finding = about(defect)
        found.append(finding.text)
        return finding

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(failure_reports, "finding_about", recorded)
        yield found


@pytest.fixture(autouse=True)
def no_failure(request: pytest.FixtureRequest, failures: list[str]) -> Iterator[None]:
    """Fail a test after a failure in this process; other runs: tests/plugin_failures.py."""
    failures.clear()
    yield
    assert request.node.get_closest_marker("broken_plugin") or not failures, "\n".join(failures)


@pytest.fixture(scope="session")
def plugin_cache(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mypy's cache for runs with the plugin: the array libraries are read once per test session."""
    return _cache("cache-plugin", pytestconfig, tmp_path_factory)


@pytest.fixture(scope="session")
def check_cache(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of `promo-mypy check`."""
    return _cache("cache-check", pytestconfig, tmp_path_factory)


@pytest.fixture(scope="session")
def stock_cache(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mypy's cache for runs without the plugin."""
    return _cache("cache-stock", pytestconfig, tmp_path_factory)
