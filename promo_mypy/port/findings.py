"""The findings of a survey, grouped by file and cause."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.program.expressions import Place


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """An operation on operands of some dtypes, with its result in the current and in the other system.

    Attributes:
        symbol: the symbol of the operator.
        operands: the dtypes of its operands, or the text of a Python literal.
        result: its dtype here; several possible dtypes are separated by ` | `.
        ported: its dtype in the other system; empty if it is rejected there.
        reason: why it is rejected; empty if it is not.
        remedy: the cast after which both systems agree.
    """

    symbol: str
    operands: tuple[str, ...]
    result: str
    ported: str
    reason: str
    remedy: str

    @property
    def operation(self) -> str:
        """The operation in words: `int32 * float32`, `abs(int32)`."""
        if self.symbol.endswith("()"):
            return f"{self.symbol[:-1]}{', '.join(self.operands)})"
        return f" {self.symbol} ".join(self.operands) if len(self.operands) > 1 else f"{self.symbol}{self.operands[0]}"


@dataclass(frozen=True, slots=True)
class Survey:
    """The operations of a program whose dtype under `target` differs from the one under `source`.

    Attributes:
        source: the system that the program follows now.
        target: the system to compare with.
        files: how many files were checked.
        operations: how many operations in them have a known dtype and follow `source`.
        findings: file -> cause -> places; all sorted.
        left_out: the files that could not be parsed, sorted.
    """

    source: str
    target: str
    files: int
    operations: int
    findings: dict[Path, dict[Cause, tuple[Place, ...]]]
    left_out: tuple[LeftOut, ...]

    @property
    def differing(self) -> int:
        """How many operations differ."""
        return sum(self.count(path) for path in self.findings)

    def count(self, path: Path) -> int:
        """How many operations differ in one file."""
        return sum(len(places) for places in self.findings[path].values())


def grouped(found: Sequence[tuple[Path, Cause, Place]]) -> dict[Path, dict[Cause, tuple[Place, ...]]]:
    """Group findings as file -> cause -> places; the cause with the most places first."""
    groups: dict[Path, dict[Cause, list[Place]]] = {}
    for path, cause, place in sorted(found):
        groups.setdefault(path, {}).setdefault(cause, []).append(place)
    return {
        path: {cause: tuple(places) for cause, places in sorted(causes.items(), key=lambda item: (-len(item[1]), item))}
        for path, causes in groups.items()
    }
