"""`python -m tests.numpy_typing [folder ...]`: NumPy's own typing tests with the plugin on and off."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.numpy_typing.folders import FOLDERS
from tests.numpy_typing.verdicts import MORE_EXACT, Verdict, verdict
from tests.on_and_off import MypyFailedError
from tests.reviewed import LOST, NEW, as_entry


def main() -> int:
    """0 if every error that the plugin loses or adds is reviewed, else 1; 2 if a run failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.numpy_typing", description=__doc__)
    parser.add_argument(
        "folders", nargs="*", metavar="folder", help=f"of {', '.join(FOLDERS)}; without any: all of them"
    )
    chosen = parser.parse_args().folders or FOLDERS
    if not set(chosen) <= set(FOLDERS):
        parser.error(f"the folders are {', '.join(FOLDERS)}")
    status = 0
    with tempfile.TemporaryDirectory(prefix="promo-numpy-typing-") as work:
        for folder in chosen:
            try:
                found = verdict(folder, Path(work))
            except (FileNotFoundError, MypyFailedError) as error:
                print(f"{folder}: {error}", file=sys.stderr)
                status = 2
                continue
            print(report(found))
            status = max(status, int(not found.passed))
    return status


def report(found: Verdict) -> str:
    """The verdict in words; unreviewed errors as entries for the list."""
    kind = LOST if found.folder == "fail" else NEW
    counts = f"{found.reviewed} {kind} and reviewed, {len(found.unknown)} {kind} and not"
    lines = [f"{found.folder}: {found.errors} errors of stock mypy, with the plugin {counts}"]
    lines += [
        f"\n# line {message.line}\n{as_entry(message, found.root, f'{found.folder}/', kind)}"
        for message in found.unknown
    ]
    lines += [f"\nin {MORE_EXACT.name} and not needed any more: {entry}" for entry in found.stale]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
