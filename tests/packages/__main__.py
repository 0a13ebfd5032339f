"""`python -m tests.packages [name ...]`: check published packages with and without the plugin; judge what differs."""

import argparse
import sys
from pathlib import Path

from tests.mypy_runs import ROOT, Message
from tests.on_and_off import MypyFailedError
from tests.packages.comparison import REVIEWED, Verdict, compare
from tests.packages.sources import FetchError, Package, table
from tests.reviewed import as_entry


def main() -> int:
    """0 if every new or lost error is on the reviewed list, else 1; 2 if nothing could be compared."""
    packages = {package.name: package for package in table()}
    parser = argparse.ArgumentParser(prog="python -m tests.packages", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(packages)}; without any: all of them")
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "packages", help="sources and stock cache stay here"
    )
    parser.add_argument("--verbose", action="store_true", help="show all lost and reworded errors, too")
    options = parser.parse_args()
    missing = sorted(set(options.names) - set(packages))
    if missing:
        parser.error(f"not in the table: {', '.join(missing)}")
    chosen = [packages[name] for name in options.names or packages]
    try:
        verdict = compare(chosen, options.work.resolve())
    except (FetchError, MypyFailedError) as error:
        print(error, file=sys.stderr)
        return 2
    print(report(verdict, chosen, options.work.resolve() / "sources", verbose=options.verbose))
    return 0 if verdict.passed else 1


def report(verdict: Verdict, packages: list[Package], sources: Path, *, verbose: bool) -> str:
    """The verdict in words; new errors as entries that can be reviewed and appended to the list."""
    found = verdict.difference
    lines: list[str] = []
    for package in packages:
        new, lost, reworded = (
            sum(_is_of(package, message) for message in messages)
            for messages in (found.new, found.lost, [after for _, after in found.reworded])
        )
        lines.append(f"{package.name} {package.version}: {new} new, {lost} lost, {reworded} reworded")
    lines.append(f"errors: {found.errors_off} without the plugin, {found.errors_on} with it")
    lines.append(
        f"seconds: {verdict.seconds_off:.1f} without (warm if run before), {verdict.seconds_on:.1f} with it (cold)"
    )
    if verbose:
        lines += [f"lost: {_line(message)}" for message in found.lost]
        for before, after in found.reworded:
            lines += [f"was:  {_line(before)}", f"now:  {_line(after)}"]
    for kind, messages in verdict.unknown.items():
        lines.append(f"\n{kind} and not on the reviewed list ({REVIEWED.name}): {len(messages)}")
        for message in messages:
            root = next(sources / package.folder for package in packages if _is_of(package, message))
            lines.append(f"# line {message.line}\n{as_entry(message, root, kind=kind)}\n")
    lines += [f"\non the reviewed list and no difference any more: {entry}" for entry in verdict.stale]
    return "\n".join(lines)


def _is_of(package: Package, message: Message) -> bool:
    return message.file.partition("/")[0] == package.name


def _line(message: Message) -> str:
    return f"{message.file}:{message.line}: {message.text}  [{message.code}]"


if __name__ == "__main__":
    sys.exit(main())
