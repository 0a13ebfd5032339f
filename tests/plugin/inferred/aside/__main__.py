"""`python -m tests.plugin.inferred.aside [--count N --seed S --library numpy] [FILE ...]`: the oracle.

Compares checks aside with a run of stock mypy over files, or over random programs that declare no dtype. Prints each
error that only one of both makes. The exit status is 1 if there is one.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.agreement.dialects import DIALECTS
from tests.plugin.inferred.aside.oracle import differences
from tests.plugin.inferred.provenance.programs import UNTYPED
from tests.provenance_programs.kinds import written


def main() -> int:
    """1 if there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.plugin.inferred.aside", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="of random programs (default: %(default)s)")
    parser.add_argument("--seed", default="0", help="any text; the same seed writes the same programs")
    parser.add_argument("--library", choices=DIALECTS, default="numpy")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="in place of random programs")
    given = parser.parse_args()
    texts = {file.name: file.read_text(encoding="utf-8") for file in given.files}
    if not texts:
        cases = written("quiet", DIALECTS[given.library], (Random(f"{given.seed} {n}") for n in range(given.count)))
        texts = {f"programs/{name}.py": text for case in cases for name, text in case.right.modules.items()}
        texts["programs/__init__.py"] = ""
    with tempfile.TemporaryDirectory(prefix="promo-oracle-") as name:
        folder = Path(name)
        caches = {"plugin_cache": folder / "cache-plugin", "stock_cache": folder / "cache-stock"}
        found = list(differences(folder, texts, **caches, settings=UNTYPED))
    print("\n".join(found), f"\n{len(texts)} files, {len(found)} differences", sep="")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
