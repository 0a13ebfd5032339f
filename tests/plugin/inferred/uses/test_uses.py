"""A value of inferred dtype is accepted wherever stock mypy accepts it; the command of `__main__` tries all cells."""

from pathlib import Path

import pytest

from tests.needed import needs
from tests.plugin.inferred.uses.matrix import cells, compare
from tests.plugin.inferred.uses.rows import EXPRESSIONS, KNOWN, OF_ANY, USES

#: One in so many cells is checked; it has no common divisor with the number of uses, so that every use is among them.
EVERY = 19


@pytest.mark.slow
@pytest.mark.parametrize("library", EXPRESSIONS)
def test_uses(library: str, tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs(library)
    found = compare(library, cells(library, EVERY), tmp_path, plugin_cache, stock_cache)
    assert found.cells > 700
    unexpected = {cell: error for cell, error in found.new.items() if cell.expression not in OF_ANY}
    assert unexpected == {}
    # A sample of the known ones.
    assert len(found.new) <= KNOWN[library][0] / EVERY * 2 + 5
    assert len(found.lost) <= KNOWN[library][1] / EVERY * 2 + 5


def test_the_sample_has_every_use() -> None:
    for library in EXPRESSIONS:
        assert {cell.use for cell in cells(library, EVERY)} == set(USES)
