"""What a check ends with: the findings to report, and the counts and notes beside them."""

from dataclasses import dataclass

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.linting.findings import Finding, Unseen


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a check.

    Attributes:
        files: the files that were checked.
        findings: the findings to report, sorted by file and place.
        left_out: the files that could not be read or parsed.
        unseen: the packages whose types mypy does not see.
        python: the interpreter in whose environment mypy looks for packages.
        known: how many findings the baseline has.
        gone: how many entries of the baseline match no finding any more.
    """

    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    python: str = ""
    known: int = 0
    gone: int = 0
