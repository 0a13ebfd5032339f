"""The report of a check."""

from dataclasses import dataclass
from typing import Final

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.rules.findings import Finding

#: The packages of the array libraries, in the order in which they are named.
_ARRAYS: Final = ("numpy", "jax", "torch", "tensorflow", "paddle", "cupy", "dask", "array_api_strict")


@dataclass(frozen=True, slots=True, order=True)
class Unseen:
    """A package whose types mypy does not see, the reason in one line, and how many imports name it."""

    package: str
    reason: str
    imports: int


@dataclass(frozen=True, slots=True)
class Report:
    """A finished check.

    Attributes:
        files: the files that were checked, sorted.
        findings: those to report, sorted by file and place.
        left_out: the files that could not be read or parsed, sorted.
        unseen: the packages whose types mypy does not see; values from them are of unknown dtype.
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

    @property
    def unseen_arrays(self) -> tuple[Unseen, ...]:
        """The array libraries among the packages that are not seen: the dtypes of their arrays are unknown."""
        missing = {each.package: each for each in self.unseen}
        return tuple(missing[name] for name in _ARRAYS if name in missing)
