"""Walk from edit to edit through a package, and compare what mypy says in each mode with what a cold run says.

A difference that stock mypy has at the same place of the same walk does not count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.incremental.modes import OTHERS, Cold, Mode, Report, State, Workspace
from tests.incremental.packages import Package, edit, package
from tests.mypy_runs import Message


@dataclass(frozen=True)
class Step:
    """A state of a walk, and the edit that led there."""

    edit: str
    state: State


@dataclass(frozen=True)
class Difference:
    """What one mode says otherwise than a cold run: lost messages and messages too many."""

    walk: str
    number: int
    edit: str
    mode: str
    lost: tuple[Message, ...]
    added: tuple[Message, ...]
    state: State

    def __str__(self) -> str:
        """For people: what happened, and where."""
        lines = [f"walk {self.walk}, edit {self.number} ({self.edit}), {self.mode}:"]
        lines += [f"  lost   {each.file}:{each.line}: {each.severity}: {each.text}" for each in self.lost]
        lines += [f"  added  {each.file}:{each.line}: {each.severity}: {each.text}" for each in self.added]
        return "\n".join(lines)


@dataclass
class Figures:
    """What walks have found."""

    edits: int = 0
    checks: int = 0
    messages: int = 0
    stock: int = 0
    differences: list[Difference] = field(default_factory=list)

    def __str__(self) -> str:
        """For people: one line."""
        return (
            f"{self.edits} edits, {self.checks} comparisons of {self.messages} messages: {len(self.differences)} "
            f"differences, and {self.stock} that stock mypy has, too"
        )


def steps(seed: str, edits: int) -> list[Step]:
    """A random package, and as many edits of it."""
    random = Random(seed)
    made = package(random)
    found = [Step("new", _state(made))]
    for _ in range(edits):
        what = edit(made, random)
        found.append(Step(what, _state(made)))
    return found


def walk(seed: str, edits: int, folder: Path, figures: Figures, others: Sequence[type[Mode]] = OTHERS) -> None:
    """Check every step of one walk in every mode, and add to the figures.

    After a difference the mode begins anew, so that the next one has a cause of its own.
    """
    path, ours = steps(seed, edits), _workspace(folder, plugin=True)
    stock = _Stock(path, _workspace(folder, plugin=False), seed)
    cold, modes = Cold(ours, seed), [mode(ours, seed) for mode in others]
    begun = dict.fromkeys(others, 0)
    try:
        for number, step in enumerate(path):
            expected = cold.check(step.state)
            figures.edits += number > 0
            figures.messages += len(expected.messages)
            for mode in modes:
                figures.checks += 1
                given = mode.check(step.state)
                if given.messages == expected.messages:
                    continue
                lost, added = _difference(expected, given)
                if stock.differs(type(mode), range(begun[type(mode)], number + 1), lost, added):
                    figures.stock += 1
                else:
                    found = Difference(seed, number, step.edit, mode.name, lost, added, step.state)
                    figures.differences.append(found)
                mode.begin_anew()
                begun[type(mode)] = number + 1
    finally:
        for each in (cold, *modes):
            each.close()
        stock.close()


def _state(made: Package) -> State:
    return State(made.files(), made.options, made.settings, made.lattice)


_WORKSPACES: dict[tuple[Path, bool], Workspace] = {}


def _workspace(folder: Path, *, plugin: bool) -> Workspace:
    """One for all walks in a folder, so that the library is read once."""
    key = (folder, plugin)
    if key not in _WORKSPACES:
        _WORKSPACES[key] = Workspace(folder / ("plugin" if plugin else "stock"), plugin)
    return _WORKSPACES[key]


def _difference(expected: Report, given: Report) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    lost = tuple(each for each in expected.messages if each not in given.messages)
    added = tuple(each for each in given.messages if each not in expected.messages)
    return lost, added


class _Stock:
    """Stock mypy on the same walk, run only as far as a difference needs it."""

    def __init__(self, path: Sequence[Step], workspace: Workspace, seed: str) -> None:
        self._path, self._workspace, self._seed = path, workspace, seed
        self._modes: dict[type[Mode], Mode] = {}

    def differs(self, kind: type[Mode], steps: range, lost: Sequence[Message], added: Sequence[Message]) -> bool:
        """Whether stock mypy has a difference in that mode at each of these lines, after the last of these steps.

        The mode begins anew with the first step.
        """
        cold, mode = self._mode(Cold), self._mode(kind)
        mode.begin_anew()
        reports = [mode.check(self._path[step].state) for step in (steps if kind.remembers else steps[-1:])]
        stock_lost, stock_added = _difference(cold.check(self._path[steps[-1]].state), reports[-1])
        if _is_crash(added):
            return _is_crash(stock_added)
        return _lines(lost) <= _lines(stock_lost) and _lines(added) <= _lines(stock_added)

    def close(self) -> None:
        """Remove what it has written."""
        for mode in self._modes.values():
            mode.close()

    def _mode(self, kind: type[Mode]) -> Mode:
        if kind not in self._modes:
            self._modes[kind] = kind(self._workspace, self._seed)
        return self._modes[kind]


def _is_crash(added: Sequence[Message]) -> bool:
    """Whether the daemon crashed: then every message of the other mode is lost."""
    return any(each.text == "Daemon crashed!" for each in added)


def _lines(messages: Sequence[Message]) -> set[tuple[str, int]]:
    return {(each.file, each.line) for each in messages}


def walks(seed: str, edits: int, each: int) -> Iterator[tuple[str, int]]:
    """Seeds and lengths of walks with that many edits together."""
    for number, start in enumerate(range(0, edits, each)):
        yield f"{seed}-{number}", min(each, edits - start)
