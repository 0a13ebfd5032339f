"""Whole programs, modelled on what users report: types and errors are those of the execution (see `whole_programs`)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import Message, Run
from tests.needed import needs
from tests.plugin.calls import cases, whole_programs

FOLDER: Final = Path(__file__).parent / "whole"
PROGRAMS: Final = sorted(FOLDER.glob("*.txt"))
NEEDED: Final = ("dask", "equinox", "jax", "jaxtyping", "torch")


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Callable[[], Run]:
    needs(*NEEDED)
    return cache(lambda: cases.copied_and_checked(PROGRAMS, tmp_path_factory.mktemp("whole"), plugin_cache))


def of(program: Path, run: Run) -> list[Message]:
    return [message for message in run.messages if message.file == program.stem]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_the_types_are_those_of_the_values(program: Path, check: Callable[[], Run]) -> None:
    assert whole_programs.wrong_types(program, of(program, check())) == {}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_each_mistake_is_reported_once(program: Path, check: Callable[[], Run]) -> None:
    assert whole_programs.wrong_errors(program, of(program, check())) == []


def test_a_run_that_reports_nothing_fails() -> None:
    """The companion test: it misses every mistake, and shows no dtype."""
    needs(*NEEDED)
    program = FOLDER / "masks.py.txt"
    assert len(whole_programs.wrong_errors(program, [])) > 2
    assert len(whole_programs.wrong_types(program, [])) > 5
