"""Compare the coverage of a program with an earlier run, by the places of the expressions of unknown dtype."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from promo_mypy.program.counts import Cause, Coverage, Kind, ranked
from promo_mypy.program.expressions import Place

_Unknown = Mapping[tuple[str, Place], Cause]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference from an earlier run.

    Attributes:
        total: the number of array expressions in the earlier run.
        percent: the share that was not unknown.
        gained: the cause in the earlier run of each dtype that is unknown no more, with their numbers.
        lost: the cause of each dtype that is newly unknown, with their numbers.
    """

    total: int
    percent: float
    gained: Mapping[Cause, int]
    lost: Mapping[Cause, int]


def compared(coverage: Coverage, earlier: Mapping[str, Any]) -> Comparison:
    """Compare with the JSON of an earlier run.

    Raises:
        KeyError: the JSON is not that of `promo-mypy coverage`, or of an older version.
    """
    before = {
        (file["path"], Place(*place)): Cause(Kind(cause["kind"]), cause["name"])
        for file in earlier["files"]
        for cause in file["causes"]
        for place in cause["places"]
    }
    now = {
        (file.path, place): cause
        for file in coverage.files
        for cause, places in file.causes.items()
        for place in places
    }
    return Comparison(earlier["expressions"], earlier["percent"], _missing(before, now), _missing(now, before))


def _missing(some: _Unknown, others: _Unknown) -> dict[Cause, int]:
    return ranked(Counter(cause for place, cause in some.items() if place not in others))
