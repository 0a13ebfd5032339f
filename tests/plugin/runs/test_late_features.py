"""Features named in a table, where mypy sees no reference, exist, and nothing imports them before they are needed."""

import subprocess
import sys
from functools import partial
from importlib import import_module

from promo_mypy.plugin.transforms import transform_rows

_TABLES = (
    transform_rows.FUNCTIONS,
    transform_rows.METHODS,
    transform_rows.METHOD_SIGNATURES,
    transform_rows.FUNCTION_SIGNATURES,
)
_LATE = [
    row.args
    for table in _TABLES
    for row in table.values()
    if isinstance(row, partial) and row.func is transform_rows._ask
]


def test_they_exist() -> None:
    assert _LATE
    for module, feature in _LATE:
        assert callable(getattr(import_module(f"{transform_rows.__package__}.{module}"), feature)), (module, feature)


def test_they_are_imported_late() -> None:
    program = "import sys, promo_mypy.plugin.features; print(*sys.modules)"
    imported = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "promo_mypy.plugin.transforms.transform_rows" in imported
    assert {f"{transform_rows.__package__}.{module}" for module, _ in _LATE}.isdisjoint(imported)
