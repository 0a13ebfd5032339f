"""Write random programs of one library, execute them, infer their types, and report the comparison."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.agreement.comparison import Disagreement, Report
from tests.agreement.dialects import Dialect
from tests.agreement.execution import Execution, texts
from tests.agreement.inferred import infer
from tests.agreement.programs import Program
from tests.agreement.writing import write

Executions = dict[str, tuple[Program, Execution]]
ROUNDS = 8


def agreement(dialect: Dialect, randoms: Iterable[Random], folder: Path, cache: Path) -> Report:
    """Write a program from each source, execute it, and compare it with the types that mypy infers in all of them."""
    programs: Executions = {}
    failed: list[str] = []

    def work() -> None:
        for number, random in enumerate(randoms):
            program = write(dialect, random, f"program{number}")
            execution = _executed(program)
            if execution is None:  # it depends on random numbers, or on values that were changed in place
                failed.append(program.name)
            else:
                programs[program.name] = program, execution

    in_library(dialect, work)
    report = compare(dialect, programs, folder, cache)
    report.unexecuted += failed
    return report


def compare(dialect: Dialect, programs: Executions, folder: Path, cache: Path) -> Report:
    """Run mypy once over programs that have been executed."""
    inferred = infer(dialect, [program for program, _ in programs.values()], folder, cache)
    report = Report()
    for name, (program, execution) in programs.items():
        report.add(program, execution, inferred[name])
    report.disagreements = [each for each in report.disagreements if _is_confirmed(each, dialect)]
    return report


def in_library(dialect: Dialect, work: Callable[[], None]) -> None:
    """Run some work that executes programs. JAX evaluates abstractly, which takes a hundredth of the time."""
    if dialect.library == "torch":
        _with_default(dialect.default, work)
        return
    if dialect.library != "jax":
        work()
        return
    import jax

    with jax.enable_x64(dialect.x64):
        jax.eval_shape(work)


def _with_default(name: str, work: Callable[[], None]) -> None:
    import torch

    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, name))
    try:
        work()
    finally:
        torch.set_default_dtype(before)


def shrunk(found: Disagreement, dialect: Dialect, folder: Path, cache: Path) -> Disagreement:
    """The same disagreement in a program of fewer statements."""
    for number in range(ROUNDS):
        count = len(found.program.statements)
        single = [{place} for place in range(count)]
        smaller = _remaining(found, single, dialect, folder / f"each{number}", cache)
        together = set().union(*(places for places, _ in smaller))
        at_once = _remaining(found, [together], dialect, folder / f"all{number}", cache) if len(smaller) > 1 else []
        if not smaller:
            break
        found = (at_once or smaller)[0][1]
    return found


def _remaining(
    found: Disagreement, removals: Sequence[set[int]], dialect: Dialect, folder: Path, cache: Path
) -> list[tuple[set[int], Disagreement]]:
    """The removals after which the programs still disagree."""
    candidates = [
        replace(found.program.without(*places), name=f"smaller{number}") for number, places in enumerate(removals)
    ]
    programs: Executions = {}

    def work() -> None:
        for candidate in candidates:
            execution = _executed(candidate)
            if execution is not None:
                programs[candidate.name] = candidate, execution

    in_library(dialect, work)
    folder.mkdir()
    report = compare(dialect, programs, folder, cache)
    same = {each.program: each for each in report.disagreements if (each.text, each.what) == (found.text, found.what)}
    return [(places, same[each]) for places, each in zip(removals, candidates, strict=True) if each in same]


def _executed(program: Program) -> Execution | None:
    try:
        return Execution(program)
    except Exception:  # any exception of the library
        return None


def _is_confirmed(found: Disagreement, dialect: Dialect) -> bool:
    """Whether real execution reaches the expression, or goes past a line that is reported as rejected.

    Abstract evaluation accepts more than execution.
    """
    if dialect.library != "jax":
        return True
    import jax

    with jax.enable_x64(dialect.x64):
        if found.is_refusal:
            return _executed(found.program) is not None
        execution = Execution(found.program, may_fail=True)
    found_there = texts(found.program)
    return any(found.text == found_there[span] for span in execution.values if span.line == found.line)
