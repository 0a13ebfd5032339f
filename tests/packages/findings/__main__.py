"""`python -m tests.packages.findings [name ...]`: what `promo-mypy check` finds in published packages, and whether it
is true.

Each finding of a code that is on by default was read in its source, and judged, in reviewed.toml. A new one is printed
in the form of that list.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.mypy_runs import ROOT
from tests.packages.findings.checked import Checked, CheckFailedError, Found, checked
from tests.packages.findings.figures import DEFAULT, figures, key_of
from tests.packages.findings.rows import REVIEWED, PackageRow, Review, packages, reviews
from tests.packages.sources import FetchError, fetch
from tests.reviewed import literal


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if every finding of the default codes is reviewed and every package checked, 1 if not, 2 without packages."""
    every = {row.package.name: row for row in packages()}
    groups = sorted({row.group for row in every.values()})
    parser = argparse.ArgumentParser(prog="python -m tests.packages.findings", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(every)}; without any: all of them")
    parser.add_argument("--group", choices=groups, help="only this group of packages")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "packages", help="sources and cache stay here")
    options = parser.parse_args(arguments)
    missing = sorted(set(options.names) - set(every))
    if missing:
        parser.error(f"not in the table: {', '.join(missing)}")
    rows = [row for row in every.values() if row.group == (options.group or row.group)]
    rows = [row for row in rows if row.package.name in (options.names or every)]
    try:
        found = _checked(rows, options.work.resolve())
    except FetchError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return max(report(found), int(len(found) < len(rows)))


def report(found: Sequence[Checked]) -> int:
    """Print the figures of each group, and what nobody has read; 0 if that is nothing."""
    known = reviews()
    for group in dict.fromkeys(each.row.group for each in found):
        of_group = [each for each in found if each.row.group == group]
        sys.stdout.write(f"## {group}\n\n{figures(of_group, known)}\n\n")
    every = {key_of(finding): finding for each in found for finding in each.findings if finding.code in DEFAULT}
    unread = [finding for key, finding in every.items() if key not in known]
    names = {each.row.package.name for each in found}
    gone = [review for key, review in known.items() if key not in every and review.package in names]
    sys.stdout.write("\n".join(_told(unread, gone)))
    return 1 if unread or gone else 0


def _checked(rows: Sequence[PackageRow], work: Path) -> list[Checked]:
    sources = work / "sources"
    fetch([row.package for row in rows], sources)
    found = []
    for row in rows:
        try:
            found.append(checked(row, sources, work / "cache-findings"))
        except CheckFailedError as error:  # it counts, and the others are checked
            sys.stdout.write(f"{error}\n")
            continue
        sys.stderr.write(f"{row.package.name}: {len(found[-1].findings)} findings\n")
    return found


def _told(unread: Iterable[Found], gone: Iterable[Review]) -> Iterable[str]:
    for finding in unread:
        yield f"# line {finding.line}: {finding.message}\n[[finding]]"
        for name in ("package", "file", "source", "code"):
            yield f"{name} = {literal(getattr(finding, name))}"
        yield 'verdict = ""\nreason = ""\n'
    for review in gone:
        yield f"in {REVIEWED.name}, and not found any more: {review}\n"


if __name__ == "__main__":
    sys.exit(main())
