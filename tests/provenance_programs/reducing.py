"""Find smaller programs with the same failures: all of them are reduced together, in a few runs of mypy."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.agreement.dialects import Dialect
from tests.agreement.laboratory import in_library
from tests.provenance_programs.kinds import Case, Failure, checked
from tests.provenance_programs.samples import Sample

ROUNDS = 8
_NAME = re.compile(r"\b[a-z]\d+\b")


def reduced(
    kind: str, failures: Sequence[Failure], dialect: Dialect, folder: Path, caches: tuple[Path, Path]
) -> list[Failure]:
    """The same failures, each in a program of fewer statements."""
    current = list(failures)
    left = set(range(len(current)))
    for number in range(ROUNDS):
        candidates = {
            (place, removed): current[place].case.right.sample.without(*removed)
            for place in left
            for removed in _removals(current[place], number == 0)
        }
        found = _again(kind, current, candidates, dialect, folder / f"round{number}", caches)
        left = set()
        for (place, _), failure in found.items():
            if len(failure.case.right.sample.statements) < len(current[place].case.right.sample.statements):
                current[place] = failure
                left.add(place)
        if not left:
            break
    return current


def _removals(failure: Failure, is_first: bool) -> list[tuple[int, ...]]:
    """The statements to leave out: first all that the line of the error does not need, then each."""
    sample = failure.case.right.sample
    count = len(sample.statements)
    if not is_first:
        return [*[(place,) for place in range(count)], *[(place, place + 1) for place in range(count - 1)]]
    return [tuple(sorted(set(range(count)) - _needed(sample, place))) for place in range(count)]


def _needed(sample: Sample, place: int) -> set[int]:
    """A statement, and those before it that mention its names, and so on."""
    names = [set(_NAME.findall(each.text)) for each in sample.statements]
    needed, wanted = {place}, set(names[place])
    for earlier in range(place - 1, -1, -1):
        if names[earlier] & wanted:
            needed.add(earlier)
            wanted |= names[earlier]
    return needed


def _again(
    kind: str,
    current: Sequence[Failure],
    candidates: Mapping[tuple[int, tuple[int, ...]], Sample],
    dialect: Dialect,
    folder: Path,
    caches: tuple[Path, Path],
) -> dict[tuple[int, tuple[int, ...]], Failure]:
    """The candidates that fail in the same way; the smallest ones last."""
    cases: dict[str, tuple[tuple[int, tuple[int, ...]], Case]] = {}

    def work() -> None:
        for number, (key, sample) in enumerate(candidates.items()):
            case = current[key[0]].case.of(sample, f"smaller{number}")
            if case is not None:
                cases[f"smaller{number}"] = key, case

    in_library(dialect, work)
    found: dict[tuple[int, tuple[int, ...]], Failure] = {}
    for failure in checked(kind, [case for _, case in cases.values()], dialect, folder, caches):
        key = cases[failure.case.right.sample.name][0]
        if failure.same == current[key[0]].same:
            found[key] = failure
    return dict(sorted(found.items(), key=lambda each: -len(each[1].case.right.sample.statements)))
