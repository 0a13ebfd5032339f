"""Elements, indices, writes, and what users report: every `reveal_type` and mistake is executed (see `cases`)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import Run
from tests.needed import needs
from tests.plugin.calls import cases

FOLDERS: Final = ("elements", "reported")
PROGRAMS: Final = [path for folder in FOLDERS for path in sorted((Path(__file__).parent / folder).glob("*.txt"))]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Callable[[], Run]:
    needs("jax", "jaxtyping", "torch")
    return cache(lambda: cases.copied_and_checked(PROGRAMS, tmp_path_factory.mktemp("cases"), plugin_cache))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_the_types_are_those_of_the_values(program: Path, check: Callable[[], Run]) -> None:
    cases.check_types(program, check().messages)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_what_raises_is_reported(program: Path, check: Callable[[], Run]) -> None:
    cases.check_errors(program, check().messages)
