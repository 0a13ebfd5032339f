"""`python -m tests.packages [name ...]`: check published packages with and without the plugin; judge what differs."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.mypy_runs import ROOT, Message
from tests.on_and_off import MypyFailedError
from tests.packages.cold import Checked, laboratory
from tests.packages.comparison import REVIEWED, Verdict, judge
from tests.packages.sources import FetchError, Package, fetch, table, with_needed
from tests.reviewed import as_entry


def main() -> int:
    """0 if every new or lost error is on the reviewed list, else 1; 2 if nothing could be compared."""
    packages = {package.name: package for package in table()}
    parser = argparse.ArgumentParser(prog="python -m tests.packages", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(packages)}; without any: all of them")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "packages", help="sources stay here")
    parser.add_argument("--verbose", action="store_true", help="show all lost and reworded errors, too")
    options = parser.parse_args()
    missing = sorted(set(options.names) - set(packages))
    if missing:
        parser.error(f"not in the table: {', '.join(missing)}")
    chosen = [packages[name] for name in options.names or packages]
    try:
        return check_each(chosen, options.work.resolve(), verbose=options.verbose)
    except (FetchError, MypyFailedError) as error:
        print(error, file=sys.stderr)
        return 2


def check_each(packages: Sequence[Package], work: Path, *, verbose: bool) -> int:
    """Check one package after the other, print what differs and the CPU time; 0 if each difference is reviewed."""
    sources = work / "sources"
    fetch(with_needed(packages), sources)
    ratios: list[float] = []
    passed = True
    with laboratory(packages, work) as runs:
        for package in packages:
            checked = runs.check(package)
            verdict = judge([package], checked.errors["stock"], checked.errors["plugin"], sources)
            passed &= verdict.passed
            ratios.append(checked.ratio)
            print(f"{report(verdict, [package], sources, verbose=verbose)}\n{_cpu(checked)}\n", flush=True)
    print(f"processor time against stock mypy: median {median(ratios):.2f}, at most {max(ratios):.2f}")
    return 0 if passed else 1


def report(verdict: Verdict, packages: Sequence[Package], sources: Path, *, verbose: bool) -> str:
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
    if verbose:
        lines += [f"lost: {_line(message)}" for message in found.lost]
        for before, after in found.reworded:
            lines += [f"was:  {_line(before)}", f"now:  {_line(after)}"]
    for kind, messages in verdict.unknown.items():
        lines.append(f"{kind} and not on the reviewed list ({REVIEWED.name}): {len(messages)}")
        for message in messages:
            root = next(sources / package.folder for package in packages if _is_of(package, message))
            lines.append(f"# line {message.line}\n{as_entry(message, root, kind=kind)}\n")
    lines += [f"on the reviewed list and no difference any more: {entry}" for entry in verdict.stale]
    return "\n".join(lines)


def _cpu(checked: Checked) -> str:
    stock, plugin = checked.seconds["stock"], checked.seconds["plugin"]
    return f"processor seconds: {stock:.2f} without the plugin, {plugin:.2f} with it, ratio {checked.ratio:.2f}"


def _is_of(package: Package, message: Message) -> bool:
    return message.file.partition("/")[0] == package.module


def _line(message: Message) -> str:
    return f"{message.file}:{message.line}: {message.text}  [{message.code}]"


if __name__ == "__main__":
    sys.exit(main())
