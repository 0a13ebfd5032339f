"""`python -m tests.agreement --programs N --seed S [--library jax]`: the long profile.

Writes N random programs for each library, executes them, and compares every expression with what mypy infers. Prints
the figures, and each disagreement in the smallest program that shows it; then the exit status is 1.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.agreement.comparison import Report
from tests.agreement.dialects import DIALECTS
from tests.agreement.laboratory import agreement, shrunk

BATCH = 400


def main() -> int:
    """1 if there is a disagreement."""
    parser = argparse.ArgumentParser(prog="python -m tests.agreement", description=__doc__)
    parser.add_argument("--programs", type=int, default=BATCH, help="for each library (default: %(default)s)")
    parser.add_argument("--seed", default="0", help="any text; the same seed writes the same programs")
    parser.add_argument("--library", choices=DIALECTS, action="append", help="without it: all")
    given = parser.parse_args()
    found = False
    with tempfile.TemporaryDirectory(prefix="promo-agreement-") as name:
        for library in given.library or DIALECTS:
            dialect, total, started = DIALECTS[library], Report(), time.monotonic()
            for start in range(0, given.programs, BATCH):
                numbers = range(start, min(start + BATCH, given.programs))
                folder, cache = Path(name) / f"{library}-{start}", Path(name) / f"cache-{library}"
                folder.mkdir()
                randoms = (Random(f"{given.seed} {number}") for number in numbers)
                report = agreement(dialect, randoms, folder, cache)
                total += report
                for number, each in enumerate(report.disagreements):
                    smallest = Path(name) / f"{library}-{start}-{number}"
                    smallest.mkdir()
                    small = shrunk(each, dialect, smallest, cache)
                    print(f"{small}\n\n{small.program.source()}")
            print(f"{library}: {total}; {time.monotonic() - started:.0f} s", flush=True)
            found = found or bool(total.disagreements)
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
