"""The quick profile: programs from seeds that hypothesis draws, the same in every run."""

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.agreement.comparison import Report
from tests.agreement.dialects import Dialect
from tests.agreement.laboratory import agreement, shrunk

#: How many disagreements are shrunk: each takes some runs of mypy.
SHRUNK = 3


def profile(dialect: Dialect, programs: int, folder: Path, cache: Path) -> Report:
    """Compare about that many programs."""
    seeds: list[int] = []

    @settings(
        max_examples=programs, derandomize=True, database=None, phases=[Phase.generate], deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.integers(0, 2**64))
    def draw(seed: int) -> None:
        seeds.append(seed)

    draw()
    checked = folder / "all"
    checked.mkdir()
    report = agreement(dialect, map(Random, dict.fromkeys(seeds)), checked, cache)
    for number, found in enumerate(report.disagreements[:SHRUNK]):
        smaller = folder / str(number)
        smaller.mkdir()
        report.disagreements[number] = shrunk(found, dialect, smaller, cache)
    return report


def check(name: str, report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    """Print the figures. There must be no disagreement, and most dtypes must be known, though functions without
    annotations hide some.
    """
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: {report}\n")
    assert not report.disagreements, "\n".join(f"{each}\n{each.program.source()}" for each in report.disagreements)
    assert len(report.unexecuted) < 0.05 * report.programs
    assert report.cut < 0.3 * report.programs
    assert report.locals["exact"] + report.locals["several"] > 0.5 * report.locals.total()
