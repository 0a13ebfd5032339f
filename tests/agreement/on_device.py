"""Random programs of CuPy, in two steps: only a machine with a GPU executes them, and only one with mypy compares.

    python -m tests.agreement.on_device execute FILE [--programs N] [--seed TEXT] [--seconds S] [--workers W]
    python -m tests.agreement.on_device compare FILE

The first writes programs, executes them and stores both. The second prints the figures, and each disagreement; then the
exit status is 1, as that of `python -m tests.agreement`.
"""

import argparse
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

from tests.agreement.dialects import CUPY
from tests.agreement.execution import Execution
from tests.agreement.programs import Program
from tests.agreement.writing import write
from tests.rules.functions.cupy.gpu_workers import in_time, workers

Executed = tuple[Program, Execution | None]


def executed(named: tuple[str, str]) -> Executed:
    """The program of a name and a seed; without its values if it fails when it is executed as a whole."""
    name, seed = named
    program = write(CUPY, Random(seed), name)
    try:
        return program, Execution(program)
    except Exception:  # any exception of the library
        return program, None


def compare(programs: Iterable[Executed]) -> int:
    """Print how mypy's types agree; 1 if there is a disagreement."""
    from tests.agreement import laboratory  # mypy is not needed where programs are executed

    known = {program.name: (program, values) for program, values in programs if values is not None}
    with tempfile.TemporaryDirectory(prefix="promo-agreement-") as name:
        folder = Path(name, "programs")
        folder.mkdir()
        report = laboratory.compare(CUPY, known, folder, Path(name, "cache"))
    for each in report.disagreements:
        sys.stdout.write(f"{each}\n\n{each.program.source()}\n")
    sys.stdout.write(f"cupy: {report}\n")
    return int(bool(report.disagreements))


def main() -> int:
    """The status of a comparison; 0 for an execution."""
    parser = argparse.ArgumentParser(prog="python -m tests.agreement.on_device")
    parser.add_argument("step", choices=("execute", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--programs", type=int, default=400)
    parser.add_argument("--seed", default="0", help="any text; the same seed writes the same programs")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    given = parser.parse_args()
    if given.step == "compare":
        return compare(pickle.loads(given.file.read_bytes()))
    names = [(f"program{number}", f"{given.seed} {number}") for number in range(given.programs)]
    end = time.monotonic() + given.seconds
    with workers(given.workers) as pool:
        found = list(in_time(pool, executed, names, end))
    given.file.write_bytes(pickle.dumps(found))
    failed = sum(values is None for _, values in found)
    sys.stdout.write(f"{len(found)} of {len(names)} programs, {failed} of them failed as a whole\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
