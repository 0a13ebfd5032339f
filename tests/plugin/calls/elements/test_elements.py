"""Elements, indices and indexed writes: every `reveal_type` is executed, and so is every mistake (see `cases`)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import Run
from tests.needed import needs
from tests.plugin.calls import cases

PROGRAMS: Final = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Callable[[], Run]:
    needs("jax", "jaxtyping", "torch")
    return cache(lambda: cases.copied_and_checked(PROGRAMS, tmp_path_factory.mktemp("elements"), plugin_cache))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_the_types_are_those_of_the_values(program: Path, check: Callable[[], Run]) -> None:
    cases.check_types(program, check().messages)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_what_raises_is_reported(program: Path, check: Callable[[], Run]) -> None:
    cases.check_errors(program, check().messages)


def test_there_are_many_cases_of_each_kind() -> None:
    needs("jax", "jaxtyping", "torch")
    names = [name for program in PROGRAMS for name in cases.executed(program)[1]]
    assert len([name for name in names if name.startswith("refused_index")]) >= 20
    assert len([name for name in names if name.startswith("refused_write")]) >= 20
    assert len([name for name in names if name.startswith(("refused_element", "promised"))]) >= 20
