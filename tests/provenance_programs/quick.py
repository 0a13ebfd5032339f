"""The quick profile: some programs of each kind, the same in every run."""

from pathlib import Path
from random import Random

from tests.agreement.dialects import DIALECTS
from tests.provenance_programs.kinds import Failure, checked, written


def failures(kind: str, library: str, count: int, folder: Path, caches: tuple[Path, Path]) -> tuple[int, list[Failure]]:
    """The number of programs that were checked, and the failures."""
    dialect = DIALECTS[library]
    cases = written(kind, dialect, (Random(f"quick {number}") for number in range(count)))
    return len(cases), checked(kind, cases, dialect, folder, caches)
