from pathlib import Path

import pytest

from tests import slow_tests

_TESTS = """
import pytest

def test_quick(): ...

@pytest.mark.slow
def test_slow(): ...

@pytest.mark.packaging
def test_packaging(): ...
"""

_CONFTEST = """
from tests import slow_tests

def pytest_addoption(parser):
    parser.addoption("--all", action="store_true")

def pytest_configure(config):
    for name in slow_tests.MARKERS:
        config.addinivalue_line("markers", name)

def pytest_collection_modifyitems(config, items):
    slow_tests.leave_out(config, items)
"""


class _Collected:
    """A plugin of pytest: the names of the tests that would run."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.names = [item.name for item in session.items]


#: Plugins of pytest that this needs not; the last one collects the garbage of the whole process, for ten seconds.
_LEFT_OUT = ("cacheprovider", "asyncio", "pytest-lsp", "unraisableexception")


def _collected(folder: Path, *arguments: str) -> list[str]:
    (folder / "test_some.py").write_text(_TESTS)
    (folder / "conftest.py").write_text(_CONFTEST)
    (folder / "pytest.ini").write_text("[pytest]\n")
    plugin = _Collected()
    without = [
        part
        for name in ("cacheprovider", "asyncio", "pytest-lsp", "unraisableexception")
        for part in ("-p", f"no:{name}")
    ]
    options = ["--collect-only", "-qq", "--import-mode=importlib", "--rootdir", str(folder), *without]
    pytest.main([*options, *arguments], plugins=[plugin])
    return plugin.names


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["{}"], ["test_quick"]),
        (["--all", "{}"], ["test_quick", "test_slow", "test_packaging"]),
        (["-m", "packaging", "{}"], ["test_packaging"]),
        (["{}/test_some.py"], ["test_quick", "test_slow", "test_packaging"]),
        (["{}/test_some.py::test_slow"], ["test_slow"]),
    ],
    ids=" ".join,
)
def test_what_runs(arguments: list[str], names: list[str], tmp_path: Path) -> None:
    assert _collected(tmp_path, *(each.format(tmp_path) for each in arguments)) == names


def test_the_markers_are_declared(pytestconfig: pytest.Config) -> None:
    declared = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    assert declared >= slow_tests.MARKERS
