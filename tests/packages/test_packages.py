"""Published packages, from their released sources: no crash, and every new or lost error is reviewed."""

import os
from pathlib import Path

import pytest

from tests.mypy_runs import ROOT
from tests.needed import needs
from tests.packages.__main__ import report
from tests.packages.comparison import REVIEWED, compare
from tests.packages.offline import run_without_index
from tests.packages.sources import FetchError, Package, fetch, table
from tests.reviewed import LOST, load


@pytest.mark.packages
def test_every_difference_is_reviewed() -> None:
    needs("jax")  # most of these packages are written for it
    work = ROOT / "build" / "packages"
    quick = [package for package in table() if package.quick]
    verdict = compare(quick, work)
    assert verdict.passed, report(verdict, quick, work / "sources", verbose=False)
    # Thousands of lines without annotations: a run without any error did not check them.
    assert verdict.difference.errors_off > 500


def test_without_an_index_the_check_fails_with_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(FetchError, match=r"equinox 0\.1 was not fetched, so nothing was checked"):
        fetch([Package("equinox", "0.1", "equinox")], tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_command_exits_with_2_if_nothing_was_compared(tmp_path: Path) -> None:
    done = run_without_index("tests.packages", "lineax", "--work", str(tmp_path))
    assert done.returncode == 2, done.stdout + done.stderr
    assert "network" in done.stderr


def test_the_reviewed_list_names_only_packages_in_the_table() -> None:
    entries = [*load(REVIEWED), *load(REVIEWED, LOST)]
    assert {entry.file.partition("/")[0] for entry in entries} <= {package.module for package in table()}
