"""The names of the operations that promotion systems support: those of Python's operators."""

from collections.abc import Mapping
from typing import Final

from promo_mypy.rules.operators import OPERATORS, Kind


def _asked_by(*kinds: Kind) -> frozenset[str]:
    return frozenset(row.operation for row in OPERATORS.values() if row.kind in kinds)


COMPARISONS: Final = _asked_by("comparison")
BINARY: Final = _asked_by("binary", "comparison")
UNARY: Final = _asked_by("unary")
IN_PLACE: Final[Mapping[str, str]] = {
    row.operation: row.operation.removeprefix("i") for row in OPERATORS.values() if row.kind == "inplace"
}
"""Augmented assignment -> the operation it performs."""
