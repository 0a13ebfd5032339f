"""Write every mistake into every place: `python -m tests.plugin.varied [KIND ...]`. Exits with 1 for a difference."""

import sys
import tempfile
from pathlib import Path

from tests.plugin.varied.checking import checked, truth
from tests.plugin.varied.mistakes import kinds
from tests.plugin.varied.programs import written


def main(wanted: list[str]) -> int:
    """Print what is wrong, by kind and library, and return the exit status."""
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, libraries in kinds().items():
            for library in libraries if not wanted or kind in wanted else ():
                programs = list(written(kind, library, every=True))
                found = [what for program in programs for what in truth(library, program)]
                results = checked(library, programs, Path(folder), Path(folder, "cache"))
                found += [what for each in results for what in each.wrong]
                total += len(found)
                print(*found, f"{kind}, {library}: {len(programs)} programs, {len(found)} wrong", sep="\n", flush=True)
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
