"""Whole programs of TensorFlow: dtypes and errors are those of the execution (see `whole_programs`)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import Message, Run
from tests.needed import imported, needs
from tests.plugin.calls import cases, whole_programs

FOLDER: Final = Path(__file__).parent / "programs"
#: The losses have a test of their own.
PROGRAMS: Final = [path for path in sorted(FOLDER.glob("tensorflow_*.txt")) if "losses" not in path.name]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Callable[[], Run]:
    needs("tensorflow-stubs")
    imported("tensorflow")
    return cache(lambda: cases.copied_and_checked(PROGRAMS, tmp_path_factory.mktemp("whole"), plugin_cache))


def of(program: Path, run: Run) -> list[Message]:
    return [message for message in run.messages if message.file == program.stem]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_the_types_of_tensorflow_are_those_of_the_values(program: Path, check: Callable[[], Run]) -> None:
    assert whole_programs.wrong_types(program, of(program, check())) == {}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_each_mistake_with_tensorflow_is_reported_once(program: Path, check: Callable[[], Run]) -> None:
    assert whole_programs.wrong_errors(program, of(program, check())) == []
