"""Judge the errors in one of NumPy's folders: what the plugin loses in `fail`, and adds elsewhere."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mypy_runs import Message
from tests.numpy_typing.folders import Runs, run
from tests.on_and_off import difference, lines_of
from tests.reviewed import LOST, NEW, Entry, load, unreviewed

#: Errors in `pass` and `reveal`, and lines of `fail` without an error, where the plugin is more exact; reviewed.
MORE_EXACT: Final = Path(__file__).parent / "more_exact.toml"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The comparison of one folder.

    `unknown` are unreviewed errors that the plugin loses (`fail`) or adds (`pass`, `reveal`); `stale` are
    entries of the list that are no longer needed. `errors` counts stock mypy's errors.
    """

    folder: str
    root: Path
    unknown: tuple[Message, ...]
    stale: tuple[Entry, ...]
    errors: int
    reviewed: int

    @property
    def passed(self) -> bool:
        """Whether the list explains every difference, and every entry of it explains one."""
        return not self.unknown and not self.stale


def verdict(folder: str, work: Path) -> Verdict:
    """Check one of NumPy's folders in a copy below `work`.

    Raises:
        FileNotFoundError: the installed NumPy has no typing tests.
        MypyFailedError: mypy crashed.
    """
    runs = run(folder, work)
    kind, differing = (LOST, lost_lines(runs)) if folder == "fail" else (NEW, difference(runs.off, runs.on).new)
    entries = [entry for entry in load(MORE_EXACT, kind) if entry.file.startswith(f"{folder}/")]
    unknown, stale = unreviewed(differing, entries, runs.root, prefix=f"{folder}/")
    explained = len(differing) - len(unknown)
    return Verdict(folder, runs.root, tuple(unknown), tuple(stale), len(runs.off), explained)


def lost_lines(runs: Runs) -> tuple[Message, ...]:
    """Stock mypy's errors on lines that have none with the plugin."""
    lines = lines_of(runs.on)
    return tuple(message for message in runs.off if message.line not in lines.get(message.file, set()))
