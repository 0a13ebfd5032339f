"""`python -m tests.provenance_programs --count N --seed S [--kind quiet] [--library numpy]`: the long profile.

Writes N random programs of each kind for each library, executes them, and checks them with mypy. Prints the figures,
and failures in small programs. The exit status is 1 if there is a failure.

- quiet: programs that declare no dtype. mypy reports the same with the plugin and without it.
- true: programs that declare the dtypes of their execution. The plugin adds no error.
- spoiled: the same with one wrong dtype, which mypy reports if it knows the dtype of the value.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.agreement.dialects import DIALECTS
from tests.provenance_programs.kinds import KINDS, Report, checked, written
from tests.provenance_programs.reducing import reduced

BATCH = 300
#: How many failures of a batch are reduced.
REDUCED = 5
LIBRARIES = ("numpy", "torch", "jax")


def main() -> int:
    """1 if there is a failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.provenance_programs", description=__doc__)
    parser.add_argument("--count", type=int, default=BATCH, help="of each kind and library (default: %(default)s)")
    parser.add_argument("--seed", default="0", help="any text; the same seed writes the same programs")
    parser.add_argument("--kind", choices=KINDS, action="append", help="without it: all")
    parser.add_argument("--library", choices=LIBRARIES, action="append", help="without it: all")
    parser.add_argument("--caches", type=Path, help="a folder for mypy's caches that is kept")
    parser.add_argument("--whole", action="store_true", help="list all failures, and reduce none")
    given = parser.parse_args()
    found = False
    with tempfile.TemporaryDirectory(prefix="promo-provenance-") as name:
        caches = given.caches or Path(name)
        for kind in given.kind or KINDS:
            for library in given.library or LIBRARIES:
                places = (caches / "cache-plugin", caches / "cache-stock")
                total, started = Report(), time.monotonic()
                for start in range(0, given.count, BATCH):
                    folder = Path(name) / f"{kind}-{library}-{start}"
                    numbers = range(start, min(start + BATCH, given.count))
                    total += _batch(kind, library, [f"{given.seed} {n}" for n in numbers], folder, places, given.whole)
                print(f"{kind}, {library}: {total}; {time.monotonic() - started:.0f} s", flush=True)
                found = found or not all(failure.is_known for failure in total.failures)
    return int(found)


def _batch(
    kind: str, library: str, seeds: list[str], folder: Path, caches: tuple[Path, Path], is_whole: bool
) -> Report:
    """Check programs of these seeds, and print the failures."""
    dialect = DIALECTS[library]
    folder.mkdir()
    cases = written(kind, dialect, map(Random, seeds))
    failures = checked(kind, cases, dialect, folder / "all", caches)
    if is_whole or kind == "spoiled":  # a smaller program may not have the mistake
        for failure in failures:
            print(failure)
    else:
        unknown = [failure for failure in failures if not failure.is_known]
        for failure in reduced(kind, unknown[:REDUCED], dialect, folder / "reduced", caches):
            print(failure, *failure.case.right.modules.values(), sep="\n")
    lines = sum(text.count("\n") for case in cases for text in case.right.modules.values())
    return Report(len(seeds), len(cases), lines, failures)


if __name__ == "__main__":
    sys.exit(main())
