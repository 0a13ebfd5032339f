"""`python -m tests.plugin.inferred.aside [--count N --seed S --library numpy] [--uses N] [PATH ...]`: the oracle.

Compares checks aside with a run of stock mypy over files and folders of packages, over one in N of the values in
places (`tests/plugin/inferred/uses`), or over random programs that declare no dtype. Prints each error that only one
of both makes. The exit status is 1 if there is one.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.agreement.dialects import DIALECTS
from tests.plugin.inferred.aside.oracle import differences
from tests.plugin.inferred.provenance.programs import UNTYPED
from tests.plugin.inferred.uses.matrix import cells, program
from tests.provenance_programs.kinds import written


def main() -> int:
    """1 if there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.plugin.inferred.aside", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="of random programs (default: %(default)s)")
    parser.add_argument("--seed", default="0", help="any text; the same seed writes the same programs")
    parser.add_argument("--library", choices=DIALECTS, default="numpy")
    parser.add_argument("--uses", type=int, metavar="N", help="one in so many uses of the library's values")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files and folders of packages")
    given = parser.parse_args()
    texts = {name: text for path in given.paths for name, text in _read(path)}
    if given.uses:
        texts["uses.py"] = program(given.library, cells(given.library, given.uses))
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


def _read(path: Path) -> Iterator[tuple[str, str]]:
    """The name and text of a file, or of those of a package."""
    for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        yield file.relative_to(path.parent).as_posix(), file.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
