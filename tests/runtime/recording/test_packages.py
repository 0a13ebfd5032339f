"""A profile of a published package, from the tests in its release: nearly all that they execute is known, and true."""

from dataclasses import replace

import pytest

from tests.mypy_runs import ROOT
from tests.runtime.recording.packages import PACKAGES, Figures, measured


@pytest.mark.packages
def test_a_profile_knows_what_the_tests_of_a_package_execute() -> None:
    (package,) = [each for each in PACKAGES if each.name == "emcee"]
    quick = replace(package, tests=("emcee/tests/unit/test_state.py", "emcee/tests/unit/test_autocorr.py"))
    found = measured(quick, ROOT / "build" / "recorded-quick")
    assert found.passed, found
    assert found.executed > 50


@pytest.mark.parametrize(
    ("known", "confirmed", "passed"),
    [(95, "9 confirmed, 0 differ", True), (94, "9 confirmed, 0 differ", False), (99, "9 confirmed, 10 differ", False)],
)
def test_enough_known_and_no_disagreement_passes(known: int, confirmed: str, passed: bool) -> None:
    assert Figures(100, known, 0, confirmed).passed is passed
