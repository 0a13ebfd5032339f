"""Measure one run of mypy: seconds of processor and wall-clock time, and the peak of its memory."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mypy_runs import environment

#: The two variants that every measurement compares; stock mypy's results are the unit.
VARIANTS = ("stock", "plugin")
#: A third variant: the least cost of any plugin with as many calls.
FLOOR = "floor"

_PLUGINS = {"stock": "", "plugin": "promo_mypy.plugin", FLOOR: str(Path(__file__).with_name("floor.py"))}


class CheckFailedError(Exception):
    """mypy reported errors or crashed on a program that should pass; the message holds its output."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The resources of one process: `cpu` and `wall` in seconds, `memory` the largest resident size in MiB."""

    cpu: float
    wall: float
    memory: float


def configuration(folder: Path, variant: str) -> Path:
    """mypy's configuration file for a variant, written to `folder`."""
    file = folder / f"{variant}.ini"
    plugins = f"plugins = {_PLUGINS[variant]}\n" if _PLUGINS[variant] else ""
    file.write_text(f"[mypy]\nstrict = True\n{plugins}", encoding="utf-8")
    return file


def variables(folder: Path) -> dict[str, str]:
    """The environment of a measured process: byte code is kept, as in an installed plugin."""
    found = environment()
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**found, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def command(folder: Path, variant: str, cache: Path) -> list[str]:
    """The start of a command line of mypy for a variant."""
    options = ["--config-file", str(configuration(folder, variant)), "--cache-dir", str(cache), "--show-traceback"]
    return [sys.executable, "-m", "mypy", *options]


def measure(
    folder: Path,
    variant: str,
    cache: Path,
    arguments: Sequence[str],
    *,
    must_pass: bool = True,
    under: Sequence[str] = (),
) -> Cost:
    """Run mypy in a process of its own; `under`: the start of a command that runs it.

    Raises:
        CheckFailedError: mypy reported an error although `must_pass` is set, or crashed.
    """
    cost, code, output = run([*under, *command(folder, variant, cache), *arguments], folder, variables(folder))
    if code not in ((0,) if must_pass else (0, 1)):
        raise CheckFailedError(f"mypy ({variant}) {' '.join(arguments)}: {code}\n{output[-4000:]}")
    return cost


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[Cost, int, str]:
    """Run a command in a folder; its cost, its exit status and what it printed. The last stays in the folder, too."""
    with (folder / "output.txt").open("w+", encoding="utf-8") as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output)
        # The resource usage of this very process; `resource.getrusage` gives the maximum over all children.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        output.seek(0)
        printed = output.read()
    # Linux counts the resident size in KiB, macOS in bytes.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / unit), process.returncode, printed
