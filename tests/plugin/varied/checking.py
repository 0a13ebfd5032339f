"""Compare what mypy reports in varied programs with what their execution shows."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from promo_mypy.rules.records import record
from tests.mypy_runs import Message, override, run_mypy
from tests.plugin.varied.programs import Program, executed, module


@record
class Checked:
    """What mypy reports in a program.

    Attributes:
        program: the program.
        at: the errors in the lines of the mistake.
        elsewhere: other errors in the program with the mistake.
        right: the errors in the program without it.
    """

    program: Program
    at: Sequence[Message]
    elsewhere: Sequence[Message]
    right: Sequence[Message]

    @property
    def wrong(self) -> Iterator[str]:
        """What mypy should not say, or should say. It reports a lambda of the wrong type twice."""
        line = self.program.wrong.splitlines()[self.program.use[-1] - 1].strip()
        is_lambda = "_lambda_" in self.program.name and not self.program.is_rejected
        if len(self.at) != (2 if is_lambda else 1):
            yield f"{self.program.name}: {len(self.at)} errors in {line!r}"
        for message in self.elsewhere:
            yield f"{self.program.name}: beside {line!r}: {message.text}"
        for message in self.right:
            yield f"{self.program.name}: put right: {message.text}"


def truth(library: str, program: Program) -> Iterator[str]:
    """What is wrong with a program itself: its mistake changes nothing, or it is still there."""
    [wrong] = executed(library, [program], wrong=True)
    [right] = executed(library, [program], wrong=False)
    if isinstance(right, Exception):
        yield f"{program.name}: put right, it raises {right!r}"
    if isinstance(wrong, Exception) != program.is_rejected:
        yield f"{program.name}: the mistake gives {wrong!r}"
    if not program.is_rejected and _dtype(wrong) == _dtype(right):
        yield f"{program.name}: the mistake changes no dtype"


def checked(library: str, programs: Sequence[Program], folder: Path, cache: Path) -> list[Checked]:
    """What mypy reports in each program."""
    wrong, right = (_errors(library, programs, folder, cache, wrong=each) for each in (True, False))
    found = []
    for program, errors, others in zip(programs, wrong, right, strict=True):
        at = _without_stock_errors([message for line, message in errors if line in program.use])
        elsewhere = [message for line, message in errors if line not in program.use]
        found.append(Checked(program, at, elsewhere, [message for _, message in others]))
    return found


def _without_stock_errors(messages: Sequence[Message]) -> Sequence[Message]:
    """The errors but those of NumPy's stubs about `out=`, which stay beside the plugin's."""
    is_told = any((message.code or "").startswith("promo-") for message in messages)
    return [each for each in messages if not is_told or each.code != "type-var"]


def _errors(
    library: str, programs: Sequence[Program], folder: Path, cache: Path, *, wrong: bool
) -> list[list[tuple[int, Message]]]:
    """The errors in each program, each with its line, from 1."""
    source, starts = module(library, programs, wrong=wrong)
    name = "varied_wrong" if wrong else "varied_right"
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    run = run_mypy(folder, f"{name}.py", cache=cache, options=override(name, "jax_enable_x64 = false"))
    found: list[list[tuple[int, Message]]] = [[] for _ in programs]
    for message in run.errors():
        number = max(n for n, start in enumerate(starts) if start < message.line)
        found[number].append((message.line - starts[number], message))
    return found


def _dtype(value: Any) -> str:
    return str(getattr(value, "dtype", None))
