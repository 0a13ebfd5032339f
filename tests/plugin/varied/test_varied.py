"""Each kind of mistake in each place. Execution decides what mypy must report, and that it is quiet otherwise.

`python -m tests.plugin.varied` writes every mistake into every place.
"""

from pathlib import Path
from typing import Final

import pytest

from tests.needed import needs
from tests.plugin.varied.checking import checked, truth
from tests.plugin.varied.mistakes import kinds, mistakes
from tests.plugin.varied.places import EXPRESSIONS, STATEMENTS
from tests.plugin.varied.programs import written

KINDS: Final = [(kind, library) for kind, libraries in kinds().items() for library in libraries]


@pytest.mark.parametrize(("kind", "library"), KINDS)
def test_a_mistake_is_reported_once(kind: str, library: str, tmp_path: Path, plugin_cache: Path) -> None:
    needs(library, "jaxtyping", "equinox")
    programs = list(written(kind, library, every=False))
    assert [what for program in programs for what in truth(library, program)] == []
    found = checked(library, programs, tmp_path, plugin_cache)
    assert [what for each in found for what in each.wrong] == []


def test_there_are_twenty_programs_of_each_kind() -> None:
    assert len(STATEMENTS) + len(EXPRESSIONS) > 20
    assert all(len(mistakes(kind, library)) >= 10 for kind, library in KINDS)
