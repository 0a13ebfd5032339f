"""The quick profile: some programs of each kind, the same in every run."""

from collections.abc import Mapping, Set
from pathlib import Path
from random import Random
from typing import Final

from tests.agreement.dialects import DIALECTS
from tests.provenance_programs.kinds import Failure, checked, written

COUNT: Final = 24
#: The seeds of programs that show a known limit, each with its reason. A new row of the rules changes the programs.
LIMITS: Final[Mapping[tuple[str, str], Set[int]]] = {}


def failures(kind: str, library: str, folder: Path, caches: tuple[Path, Path]) -> tuple[int, list[Failure]]:
    """The number of programs that were checked, and the failures."""
    numbers = [number for number in range(COUNT) if number not in LIMITS.get((kind, library), ())]
    cases = written(kind, DIALECTS[library], (Random(f"quick {number}") for number in numbers))
    found = checked(kind, cases, DIALECTS[library], folder, caches)
    return len(cases), [failure for failure in found if not failure.is_known]
