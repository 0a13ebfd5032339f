"""A value of inferred dtype is accepted wherever stock mypy accepts it; the command of `__main__` tries all cells."""

from pathlib import Path

import pytest

from tests.needed import needs
from tests.plugin.inferred.uses.matrix import cells, compare, expected_lost
from tests.plugin.inferred.uses.rows import EXPRESSIONS, LOST, USES

#: One in so many cells is checked; it has no common divisor with the number of uses, so that every use is among them.
EVERY = 19


@pytest.mark.slow
@pytest.mark.parametrize("library", EXPRESSIONS)
def test_uses(library: str, tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs(library)
    chosen = cells(library, EVERY)
    found = compare(library, chosen, tmp_path, plugin_cache, stock_cache)
    assert found.cells > 700
    assert found.new == {}
    assert found.lost.keys() == expected_lost(library, chosen)


@pytest.mark.slow
def test_each_lost_error_has_its_reason(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    for library in EXPRESSIONS:
        chosen = [cell for cell in cells(library) if (cell.use, cell.expression) in LOST[library]]
        assert len(chosen) == len(LOST[library])
        if chosen:
            needs(library)
            found = compare(library, chosen, tmp_path, plugin_cache, stock_cache)
            assert found.lost.keys() == set(chosen)


def test_the_sample_has_every_use() -> None:
    for library in EXPRESSIONS:
        assert {cell.use for cell in cells(library, EVERY)} == set(USES)
