"""The page `docs/what-it-finds.md` is true: mypy says what stands there, and so does the execution of each program."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, ONLY_CHECK
from tests.docs.finds_page import FOLDER, NAMES, PAGE, messages, outcome, read, section
from tests.mypy_runs import Message
from tests.needed import installed, needs

Told = dict[str, list[Message]]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Callable[[], Told]:
    """mypy's errors for the programs whose libraries are there; mypy runs once, when a test asks for it."""

    @cache
    def told() -> Told:
        finds = [find for find in map(read, NAMES) if installed(*find.libraries)]
        return messages(finds, tmp_path_factory.mktemp("finds"), plugin_cache)

    return told


def test_every_program_is_in_a_section() -> None:
    assert sorted(NAMES) == sorted(file.name.removesuffix(".py.txt") for file in FOLDER.iterdir())


def test_every_code_is_found() -> None:
    codes = {row.code for row in DIAGNOSTICS} - {"promo-failure", *ONLY_CHECK}
    page = PAGE.read_text(encoding="utf-8")
    assert [code for code in codes if f"[{code}]" not in page] == []
    assert all(f"[{code}]" in page for code in ("return-value", "arg-type", "assignment"))


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_up_to_date(name: str, check: Callable[[], Told]) -> None:
    find = read(name)
    needs(*find.libraries)
    assert section(find, check()[name]) in PAGE.read_text(encoding="utf-8"), "run python -m tests.docs"


@pytest.mark.parametrize("name", NAMES)
def test_mypy_reports_the_mistake_once_and_accepts_the_remedy(name: str, check: Callable[[], Told]) -> None:
    find = read(name)
    needs(*find.libraries)
    (error,) = check()[name]
    assert error.line in find.lines
    assert check()[f"{name}_mended"] == []


@pytest.mark.parametrize("name", NAMES)
def test_execution_confirms_the_mistake_and_the_remedy(name: str) -> None:
    find = read(name)
    needs(*find.libraries)
    assert outcome(find) == find.happens
    assert outcome(find, mended=True) == find.gives
