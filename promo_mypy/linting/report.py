"""The report of a check."""

from dataclasses import dataclass

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.rules.findings import Finding


@dataclass(frozen=True, slots=True, order=True)
class Unseen:
    """A package whose types mypy does not see.

    Attributes:
        package: its name.
        reason: why, in one line.
        imports: how many imports name it.
    """

    package: str
    reason: str
    imports: int


@dataclass(frozen=True, slots=True)
class Report:
    """A finished check.

    Attributes:
        files: the files that were checked, sorted.
        findings: sorted by file and place.
        left_out: the files that could not be read or parsed, sorted.
        unseen: the packages whose types mypy does not see; values from them are of unknown dtype.
        python: the interpreter in whose environment mypy looks for packages.
    """

    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    python: str = ""
