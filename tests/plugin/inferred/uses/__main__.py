"""`python -m tests.plugin.inferred.uses [--library numpy]`: every value in every place, for all libraries or some.

Prints each cell with an error of one run only. The exit status is 1 for a new error, and for a lost one without
a written reason.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.plugin.inferred.uses.matrix import cells, compare, expected_lost
from tests.plugin.inferred.uses.rows import EXPRESSIONS


def main() -> int:
    """1 if a difference has no reason."""
    parser = argparse.ArgumentParser(prog="python -m tests.plugin.inferred.uses", description=__doc__)
    parser.add_argument("--library", choices=EXPRESSIONS, action="append", help="without it: all")
    is_worse = False
    for library in parser.parse_args().library or EXPRESSIONS:
        with tempfile.TemporaryDirectory(prefix="promo-uses-") as name:
            folder = Path(name)
            chosen = cells(library)
            found = compare(library, chosen, folder, folder / "cache-plugin", folder / "cache-stock")
        for kind, differing in (("new", found.new), ("lost", found.lost)):
            for cell, error in differing.items():
                print(f"{library} {kind}: {cell.use!r}, {cell.expression}\n  {error.text}  [{error.code}]")
        counts = len(found.new), len(found.lost)
        print(f"{library}: {found.cells} cells, {counts[0]} with new errors, {counts[1]} with lost ones", flush=True)
        is_worse = is_worse or bool(found.new) or found.lost.keys() != expected_lost(library, chosen)
    return int(is_worse)


if __name__ == "__main__":
    sys.exit(main())
