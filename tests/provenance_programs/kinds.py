"""The three kinds of programs: without dtypes, with true ones, and with one mistake. Each has its own verdict."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Final

from tests.agreement.comparison import REFUSALS
from tests.agreement.dialects import Dialect
from tests.agreement.laboratory import in_library
from tests.mypy_runs import Message
from tests.on_and_off import difference
from tests.provenance_programs.annotating import plain_types, true_types
from tests.provenance_programs.checking import Modules, errors_of
from tests.provenance_programs.known_values import are_unknown
from tests.provenance_programs.places import PLACE, placed
from tests.provenance_programs.recording import lines_of, record
from tests.provenance_programs.reviewed import (
    is_deprecated,
    is_known_limit,
    is_of_branches,
    is_of_numpy_number,
    is_of_several,
    is_of_stubs,
    is_still_deleted,
    is_unchecked,
    names_read,
)
from tests.provenance_programs.samples import Sample, TypedSample
from tests.provenance_programs.spoiling import with_cast, with_other_annotation
from tests.provenance_programs.stub_numbers import is_after, is_of_stub_numbers, is_of_sums
from tests.provenance_programs.writing import write


@dataclass(frozen=True)
class Case:
    """A program that has been executed.

    Attributes:
        right: the program, with types in its places.
        wrong: the same with a mistake, if that is its kind.
    """

    right: TypedSample
    wrong: TypedSample | None = None

    def of(self, sample: Sample, name: str) -> "Case | None":
        """The case of a smaller program, with the same types; None if that does not run, or for a cast."""
        sample = replace(sample, name=name)
        try:
            record(sample.modules())
        except Exception:  # any exception of the library
            return None
        wrong = None if self.wrong is None else replace(self.wrong, sample=sample)
        return Case(replace(self.right, sample=sample), wrong)


#: The kind of failure that is counted apart: see `is_known_limit`.
KNOWN_LIMIT: Final = "known limit"


@dataclass(frozen=True)
class Failure:
    """A program for which mypy says the wrong thing.

    Attributes:
        case: the program.
        what: the kind of failure.
        message: the error that is new or lost; None for a mistake that is not reported.
        text: the line of the error, or the mistake.
    """

    case: Case
    what: str
    message: Message | None
    text: str

    @property
    def is_known(self) -> bool:
        """Whether this is a known limit."""
        return self.what == KNOWN_LIMIT

    @property
    def same(self) -> tuple[str, str | None, str]:
        """What the failure of a smaller program has to be equal in."""
        return self.what, None if self.message is None else self.message.code, self.text

    def __str__(self) -> str:
        said = "" if self.message is None else f"\n  {self.message.text}  [{self.message.code}]"
        return f"{self.case.right.sample.name}: {self.what}: {self.text}{said}"


@dataclass
class Report:
    """Counts of programs and of failures."""

    programs: int = 0
    checked: int = 0
    lines: int = 0
    failures: list[Failure] = field(default_factory=list)

    def __iadd__(self, other: "Report") -> "Report":
        """Add the counts of another report."""
        self.programs += other.programs
        self.checked += other.checked
        self.lines += other.lines
        self.failures += other.failures
        return self

    def __str__(self) -> str:
        failed, known = (
            len({each.case.right.sample.name for each in self.failures if each.is_known is is_known})
            for is_known in (False, True)
        )
        counts = f"{failed} with failures" + (f", {known} with known limits" if known else "")
        return f"{self.checked} of {self.programs} programs checked, {self.lines} lines; {counts}"


def written(kind: str, dialect: Dialect, randoms: Iterable[Random]) -> list[Case]:
    """One program from each source; those that do not run again are left out."""
    cases: list[Case] = []

    def work() -> None:
        for number, random in enumerate(randoms):
            case = typed(kind, write(placed(dialect), random, f"program{number}", kind), dialect, random)
            if case is not None:
                cases.append(case)

    in_library(dialect, work)
    return cases


def typed(kind: str, sample: Sample, dialect: Dialect, random: Random) -> Case | None:
    """The program with the types of its execution; None if it does not run, or has no place for a mistake."""
    modules = sample.modules()
    try:
        seen = record(modules)
    except Exception:  # any exception of the library
        return None
    places = sorted({place for text in modules.values() for place in PLACE.findall(text)})
    if kind == "quiet":
        share = random.choice([0.0, 0.0, 0.5, 1.0])
        left_out = frozenset(place for place in places if random.random() < share)
        return Case(TypedSample(sample, plain_types(seen, places, random), left_out))
    true = TypedSample(sample, true_types(seen, places, dialect, random))
    if kind == "true":
        return Case(true)
    spoil = random.choice([with_other_annotation, with_cast])
    wrong = spoil(true, seen, dialect, random)
    return None if wrong is None else Case(true, wrong)


def checked(
    kind: str, cases: Sequence[Case], dialect: Dialect, folder: Path, caches: tuple[Path, Path]
) -> list[Failure]:
    """What is wrong in mypy's output; the caches are those with the plugin and without it."""
    return _CHECKS[kind](cases, dialect, folder, caches)


def _compared(cases: Sequence[Case], dialect: Dialect, folder: Path, caches: tuple[Path, Path]) -> list[Failure]:
    """The errors that only one of the two runs makes. A line with errors in both runs is no failure."""
    programs = [case.right.modules for case in cases]
    on = errors_of(programs, dialect, folder, caches[0], plugin=True)
    off = errors_of(programs, dialect, folder, caches[1], plugin=False)
    failures: list[Failure] = []
    for case in cases:
        modules = case.right.modules
        before, after = ([each for name in modules for each in errors.get(name, ())] for errors in (off, on))
        found = difference(before, after)
        both = {(each.file, each.line) for each in before} & {(each.file, each.line) for each in after}
        lost = [each for each in found.lost if (each.file, each.line) not in both]
        right = [each for each in lost if _is_rightly_lost(each, after, modules, dialect)]
        added = [each for each in found.new if not _is_still_deleted(each, before, modules)]
        new = [_failure(case, "new", each) for each in added if _is_added(each, both, modules, right)]
        executed = _executed(modules, dialect) if any(_is_refusal(each) for each in new) else frozenset()
        failures += [each for each in new if not _is_refusal(each) or _is_reached(each, executed)]
        wrong = [each for each in lost if each not in right]
        failures += [_failure(case, KNOWN_LIMIT if is_known_limit(each) else "lost", each) for each in wrong]
    return failures


def _is_still_deleted(message: Message, before: Sequence[Message], modules: Modules) -> bool:
    source = modules[Path(message.file).stem]
    return is_still_deleted(message, [each for each in before if each.file == message.file], source)


def _is_added(message: Message, both: Set[tuple[str, int]], modules: Modules, lost: Sequence[Message]) -> bool:
    """Whether only the plugin makes an error in a line, and stock mypy checks that line and knows the value.

    `lost`: the errors of stock mypy that come from its stubs.
    """
    if (message.file, message.line) in both or is_deprecated(message):
        return False
    return not is_unchecked(message, modules[Path(message.file).stem]) and not is_after(message, lost, modules)


def _is_rightly_lost(message: Message, others: Sequence[Message], modules: Modules, dialect: Dialect) -> bool:
    """Whether an error of stock mypy comes from its stubs. `others`: the errors with the plugin."""
    text = modules[Path(message.file).stem].splitlines()[message.line - 1]
    if is_of_stubs(message, text):
        return True
    if dialect.library == "numpy":
        return is_of_numpy_number(message) or is_of_sums(message, modules)
    return is_of_stub_numbers(message, others, modules)


def _true(cases: Sequence[Case], dialect: Dialect, folder: Path, caches: tuple[Path, Path]) -> list[Failure]:
    """The errors that the plugin adds to executed lines, apart from those about a value of several possible dtypes."""
    found = [each for each in _compared(cases, dialect, folder, caches) if each.what == "new"]
    failures: list[Failure] = []
    for _, group in groupby(found, lambda each: each.case.right.sample.name):
        new = list(group)
        modules = new[0].case.right.modules
        executed = _executed(modules, dialect)
        of_several = [each.message for each in new if each.message and _is_of_several(each, each.message)]
        names = {name for each in of_several for name in names_read(each.line, modules[Path(each.file).stem])}
        for each in new:
            message = each.message
            if message is None or message in of_several or (Path(message.file).stem, message.line) not in executed:
                continue
            # An error about an operator names one of the types.
            if message.code != "operator" or not names & names_read(message.line, modules[Path(message.file).stem]):
                failures.append(each)
    return failures


def _is_of_several(failure: Failure, message: Message) -> bool:
    """Whether the value may have another dtype than the executed one."""
    modules, name = failure.case.right.modules, Path(message.file).stem
    imported = [text for other, text in modules.items() if other != name]
    return is_of_several(message) or is_of_branches(message.line, modules[name], imported)


def _executed(modules: Modules, dialect: Dialect) -> Set[tuple[str, int]]:
    """The lines that are executed, with the widths that the programs were written with."""
    if dialect.library != "jax":
        return lines_of(modules)
    import jax

    with jax.enable_x64(dialect.x64):
        return lines_of(modules)


def _is_refusal(failure: Failure) -> bool:
    """Whether mypy says that an operation fails."""
    return failure.message is not None and failure.message.code in REFUSALS


def _is_reached(failure: Failure, executed: Set[tuple[str, int]]) -> bool:
    """Whether the operation was executed, so that it does not fail. Of a condition only one side is, and of a
    lambda perhaps nothing.
    """
    message = failure.message
    has_sides = any(word in failure.text for word in (" if ", " or ", " and ", "lambda"))
    return message is not None and (Path(message.file).stem, message.line) in executed and not has_sides


def _unreported(cases: Sequence[Case], dialect: Dialect, folder: Path, caches: tuple[Path, Path]) -> list[Failure]:
    """The mistakes that make no error beyond those of the true program, apart from those about unknown values."""
    true = errors_of([case.right.modules for case in cases], dialect, folder / "true", caches[0], plugin=True)
    wrong = [case.wrong for case in cases if case.wrong is not None]
    found = errors_of([each.modules for each in wrong], dialect, folder / "spoiled", caches[0], plugin=True)
    failures: list[Failure] = []
    for case, each in zip(cases, wrong, strict=True):
        before, after = ([m for name in case.right.modules for m in errors.get(name, ())] for errors in (true, found))
        found_there = difference(before, after)
        # After an error of the stubs mypy does not know the value.
        is_unknown = any((Path(m.file).stem, m.line) in _changed(case.right.modules, each.modules) for m in before)
        if not found_there.new and not found_there.reworded and not is_unknown:
            failures.append(Failure(case, "not reported", None, each.mistake))
    missed = [failure.case.wrong for failure in failures if failure.case.wrong is not None]
    unknown = are_unknown(missed, dialect, folder / "revealing", caches[0])
    return [failure for failure, is_unknown in zip(failures, unknown, strict=True) if not is_unknown]


def _changed(one: Modules, other: Modules) -> Set[tuple[str, int]]:
    """The modules and lines that differ."""
    return {
        (name, number)
        for name, text in one.items()
        for number, pair in enumerate(zip(text.splitlines(), other[name].splitlines(), strict=True), 1)
        if pair[0] != pair[1]
    }


def _failure(case: Case, what: str, message: Message) -> Failure:
    source = case.right.modules[Path(message.file).stem]
    return Failure(case, what, message, source.splitlines()[message.line - 1].strip())


Check = Callable[[Sequence[Case], Dialect, Path, tuple[Path, Path]], list[Failure]]
_CHECKS: Final[Mapping[str, Check]] = {"quiet": _compared, "true": _true, "spoiled": _unreported}
KINDS: Final = tuple(_CHECKS)
