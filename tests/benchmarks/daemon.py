"""Measure the mypy daemon's answer to a one-line edit, which is what an editor waits for."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.benchmarks.process import VARIANTS, CheckFailedError, configuration, variables


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds of wall-clock time for `dmypy check` after each edit, by variant; the client process is included."""

    name: str
    lines: int
    stock: tuple[float, ...]
    plugin: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """The median with the plugin."""
        return median(self.plugin)

    @property
    def ratio(self) -> float:
        """The median with the plugin divided by the median without."""
        return median(self.plugin) / median(self.stock)


def latency(name: str, program: str, folder: Path, *, edits: int) -> Latency:
    """Edit one line in the middle of a program repeatedly, and let two running daemons check it in turns.

    The line is an assignment in a function; its value becomes the product of its first value and a literal.

    Raises:
        CheckFailedError: the daemon rejected the program, or missed an error that an edit introduced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lines = program.splitlines()
    middle = range(len(lines) // 2, len(lines))
    number, line = next((number, lines[number]) for number in middle if re.match(r"    \w+ = \w+ ", lines[number]))
    name_set, operand = line.split()[0], line.split()[2]
    file = EditedFile(folder / "measured.py", lines, number)
    daemons = {variant: Daemon(folder, variant) for variant in VARIANTS}
    seconds: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
    try:
        for daemon in daemons.values():
            daemon.start()
            daemon.check(file.path)
        for edit in range(edits + 1):
            # Each edit is new to both daemons: another literal in an arithmetic expression.
            file.edit(f"    {name_set} = {operand} * {edit + 2}")
            for variant, daemon in daemons.items():
                took = daemon.check(file.path)
                if edit:  # the first answer still reads what the start postponed
                    seconds[variant].append(took)
        # An error as long as the edit: it is missed if the daemon misses edits of the same length.
        error = "u" * len(f"{operand} * {edits + 2}")
        file.edit(f"    {name_set} = {error}")
        for daemon in daemons.values():
            daemon.check(file.path, error=error)
    finally:
        for daemon in daemons.values():
            daemon.stop()
    return Latency(name, len(lines), tuple(seconds["stock"]), tuple(seconds["plugin"]))


class EditedFile:
    """A program with one line that is edited.

    The daemon treats a file of the same size and the same second as unchanged, so that it would miss quick edits: each
    edit is two seconds later than the one before.
    """

    def __init__(self, path: Path, lines: Sequence[str], number: int) -> None:
        self.path, self._lines, self._number = path, lines, number
        self.edit(lines[number])

    def edit(self, line: str) -> None:
        """Write the program with that line in place of its own."""
        modified = self.path.stat().st_mtime + 2 if self.path.exists() else time.time()
        text = "\n".join([*self._lines[: self._number], line, *self._lines[self._number + 1 :]])
        self.path.write_text(f"{text}\n", encoding="utf-8")
        os.utime(self.path, (modified, modified))


class Daemon:
    """A mypy daemon of one variant, with a cache of its own."""

    def __init__(self, folder: Path, variant: str) -> None:
        self._folder, self._variant = folder, variant
        self._status = folder / f"{variant}.daemon.json"

    def start(self) -> None:
        """Start the server; it ends by itself after ten idle minutes."""
        flags = ["--config-file", str(configuration(self._folder, self._variant))]
        flags += ["--cache-dir", str(self._folder / f"cache-daemon-{self._variant}")]
        done = self._run("start", "--timeout", "600", "--", *flags)
        if done.returncode != 0:
            raise CheckFailedError(done.stdout + done.stderr)

    def check(self, file: Path, error: str | None = None) -> float:
        """The seconds from the call to the answer, which must be free of errors, or name `error`."""
        started = time.perf_counter()
        done = self._run("check", str(file))
        took = time.perf_counter() - started
        if done.returncode != (0 if error is None else 1) or (error or "") not in done.stdout:
            raise CheckFailedError(f"dmypy ({self._variant}): {done.returncode}\n{done.stdout}{done.stderr}"[:4000])
        return took

    def stop(self) -> None:
        """Stop the server, if it is running."""
        self._run("stop")

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "mypy.dmypy", "--status-file", str(self._status), *arguments]
        return subprocess.run(
            command, cwd=self._folder, env=variables(self._folder), capture_output=True, text=True, check=False
        )
