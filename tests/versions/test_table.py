"""The README's table of supported versions, the results that it is written from, and the range of the package."""

from collections.abc import Iterable

import pytest

from promo_mypy.plugin.mypy_versions import SUPPORTED
from tests.module_runs import ROOT
from tests.versions.profiles import PROFILES
from tests.versions.results import Result, saved
from tests.versions.table import project_table, required, table, written

RESULTS = list(saved())


def _minor_versions(library: str, results: Iterable[Result]) -> set[tuple[int, int]]:
    versions = [result.versions[library].split(".") for result in results if library in result.versions]
    return {(int(numbers[0]), int(numbers[1])) for numbers in versions}


def test_the_table_is_written_from_the_results() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == written(readme, project_table(ROOT), RESULTS), "run `nox -s table`"


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.session)
def test_every_session_is_green(result: Result) -> None:
    assert result.failed == ()
    assert result.passed > 0


def test_the_oldest_and_the_newest_mypy_were_tested() -> None:
    tested = _minor_versions("mypy", RESULTS)
    oldest, (major, too_new) = SUPPORTED
    assert min(tested) == oldest
    assert max(tested) == (major, too_new - 1)


@pytest.mark.parametrize(("library", "oldest"), [("numpy", (2, 2)), ("jax", (0, 8)), ("torch", (2, 10))])
def test_the_oldest_library_was_tested(library: str, oldest: tuple[int, int]) -> None:
    assert min(_minor_versions(library, RESULTS)) == oldest
    assert required(project_table(ROOT))[library].endswith(f">= {oldest[0]}.{oldest[1]}")


def _result(session: str, mypy: str, *failed: str) -> Result:
    return Result(session, "fast", "2026-01-02", {"python": "3.11.0", "mypy": mypy}, 3, 0, failed)


def test_only_green_sessions_are_in_the_table() -> None:
    project = {"requires-python": ">=3.11", "dependencies": ["mypy>=1.19,<2.5"], "optional-dependencies": {}}
    results = [_result("mypy 2.10", "2.10.0"), _result("mypy 2.4", "2.4.1"), _result("mypy 2.5", "2.5.0", "a test")]
    lines = table(project, results).splitlines()
    assert "| Python | >= 3.11 | 3.11.0 |" in lines
    assert "| mypy | >= 1.19, < 2.5 | 2.4.1, 2.10.0 |" in lines
    assert lines[-1].startswith("Tested in 2 sessions of `nox`, 2026-01-02")


@pytest.mark.parametrize("profile", PROFILES)
def test_the_tests_of_a_profile_exist(profile: str) -> None:
    assert all((ROOT / path).exists() for path in PROFILES[profile].tests)
