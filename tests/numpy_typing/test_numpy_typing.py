"""NumPy's own typing tests: `fail` loses no error with the plugin, `pass` and `reveal` gain only reviewed ones."""

from pathlib import Path

import pytest

from tests.mypy_runs import Message
from tests.numpy_typing.__main__ import report
from tests.numpy_typing.folders import FOLDERS, Runs, data
from tests.numpy_typing.verdicts import MORE_EXACT, lost_lines, verdict
from tests.reviewed import LOST, load

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of NumPy's folders, and one cache for all of them."""
    return tmp_path_factory.mktemp("numpy-typing")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_difference_is_reviewed(folder: str, work: Path) -> None:
    found = verdict(folder, work)
    assert found.passed, report(found)
    if folder == "fail":
        marked = sum(text.count("# type: ignore") for text in _texts(folder))
        # Almost every marked line has an error; the others continue one or depend on the platform.
        assert found.errors > 0.9 * marked > 500


def test_a_line_without_its_error_is_lost_whatever_errors_others_have() -> None:
    off = (Message("a.pyi", 1, "error", "one", "operator"), Message("a.pyi", 2, "error", "two", "operator"))
    on = (Message("a.pyi", 1, "error", "ours", "promo-undefined"), Message("b.pyi", 2, "error", "two", "operator"))
    assert lost_lines(Runs(Path(), off, on)) == (off[1],)


def test_the_reviewed_list_names_only_the_three_folders() -> None:
    assert {entry.file.partition("/")[0] for entry in load(MORE_EXACT)} <= {"pass", "reveal"}
    assert {entry.file.partition("/")[0] for entry in load(MORE_EXACT, LOST)} <= {"fail"}


def _texts(folder: str) -> list[str]:
    return [file.read_text(encoding="utf-8") for file in (data() / folder).rglob("*.py*")]
