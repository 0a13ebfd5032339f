"""Each kind of mistake in each place. Execution decides what mypy must report, and that it is quiet otherwise.

`python -m tests.plugin.varied` writes every mistake into every place.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.needed import needs
from tests.plugin.varied.checking import Checked, checked, truth
from tests.plugin.varied.mistakes import kinds
from tests.plugin.varied.programs import Program, written

KINDS: Final = [(kind, library) for kind, libraries in kinds().items() for library in libraries]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Callable[[str], Sequence[Checked]]:
    """What mypy reports in the programs of all kinds of a library, which it checks at once."""

    @cache
    def of_library(library: str) -> Sequence[Checked]:
        programs = [program for kind, each in KINDS if each == library for program in _programs(kind, library)]
        return checked(library, programs, tmp_path_factory.mktemp(library), plugin_cache)

    return of_library


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "library"), KINDS)
def test_a_mistake_is_reported_once(kind: str, library: str, reports: Callable[[str], Sequence[Checked]]) -> None:
    needs(library, "jaxtyping", "equinox")
    programs = _programs(kind, library)
    assert [what for program in programs for what in truth(library, program)] == []
    found = [each for each in reports(library) if each.program in programs]
    assert len(found) == len(programs) > 0
    assert [what for each in found for what in each.wrong] == []


def _programs(kind: str, library: str) -> Sequence[Program]:
    """The programs of a kind, each place with one mistake."""
    return list(written(kind, library, every=False))
