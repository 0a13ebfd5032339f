"""`python -m tests.incremental --edits N --seed S`: mypy says the same in every mode, after every edit.

Edits random packages, and checks each state with an empty cache, with the cache of the state before, with the daemon
that has checked the states before, and with two workers. Prints the figures and each difference that stock mypy does
not have; then the exit status is 1.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.incremental.modes import OTHERS
from tests.incremental.walks import Figures, walk, walks


def main() -> int:
    """1 if there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.incremental", description=__doc__)
    parser.add_argument("--edits", type=int, default=100, help="in all walks together (default: %(default)s)")
    parser.add_argument("--each", type=int, default=25, help="edits of one package (default: %(default)s)")
    parser.add_argument("--seed", default="0", help="any text; the same seed makes the same edits")
    parser.add_argument("--mode", action="append", choices=[mode.name for mode in OTHERS], help="without it: all")
    given = parser.parse_args()
    figures, started = Figures(), time.monotonic()
    modes = [mode for mode in OTHERS if not given.mode or mode.name in given.mode]
    with tempfile.TemporaryDirectory(prefix="promo-incremental-") as name:
        for seed, edits in walks(given.seed, given.edits, given.each):
            known = len(figures.differences)
            walk(seed, edits, Path(name), figures, modes)
            for found in figures.differences[known:]:
                print(f"\n{found}")
            print(f"{seed}: {figures}; {time.monotonic() - started:.0f} s", flush=True)
    return int(bool(figures.differences))


if __name__ == "__main__":
    sys.exit(main())
