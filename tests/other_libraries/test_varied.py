"""Each kind of mistake with TensorFlow, in each place: see tests/plugin/varied."""

from pathlib import Path
from typing import Final

import pytest

from tests.needed import imported, needs
from tests.plugin.varied.checking import checked, truth
from tests.plugin.varied.mistakes import kinds
from tests.plugin.varied.programs import written

KINDS: Final = [(kind, library) for kind, libraries in kinds(apart=True).items() for library in libraries]


@pytest.mark.parametrize(("kind", "library"), KINDS)
def test_a_mistake_is_reported_once(kind: str, library: str, tmp_path: Path, plugin_cache: Path) -> None:
    needs("tensorflow-stubs", "jaxtyping")
    imported(library)
    programs = list(written(kind, library, every=False))
    assert [what for program in programs for what in truth(library, program)] == []
    found = checked(library, programs, tmp_path, plugin_cache)
    assert [what for each in found for what in each.wrong] == []
