"""Measure how the cost of `promo-mypy coverage` grows with the program: `python -m tests.benchmarks.growth FOLDER`.

The folder is that of an import package, such as one that `pip install --target` made. It is checked once, twice, four
and eight times over, under a new name each time, with an empty cache. The unit is stock mypy's cost for the same files.
Python keeps the byte code of both, as in an installed package.
If the cost is linear, each further copy costs the same.

Options: `--most N` copies, `--command check` for another command.
"""

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.benchmarks.process import CheckFailedError, Cost, run, variables

_MYPY: Final = ("-m", "mypy", "--ignore-missing-imports", "--check-untyped-defs", "--config-file=", "--cache-dir=mypy")


def main() -> None:
    """Print a row of a table for each number of copies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path)
    parser.add_argument("--most", type=int, default=8)
    parser.add_argument("--command", choices=("coverage", "infer", "check"), default="coverage")
    options = parser.parse_args()
    _print(
        f"| copies of {options.package.name} | files | promo-mypy {options.command} | stock mypy | each further copy |"
    )
    _print("|---|---|---|---|---|")
    copies, before = 1, None
    with tempfile.TemporaryDirectory(prefix="promo-bytecode-") as byte_code:
        measured(options.package, 1, options.command, Path(byte_code))
        while copies <= options.most:
            files, ours, stock = measured(options.package, copies, options.command, Path(byte_code))
            _print(_row(copies, files, ours, stock, before))
            copies, before = copies * 2, ours


def measured(package: Path, copies: int, command: str, byte_code: Path) -> tuple[int, Cost, Cost]:
    """The number of files, and the cost of a command and of stock mypy for them.

    Raises:
        CheckFailedError: they could not be checked.
    """
    with tempfile.TemporaryDirectory(prefix="promo-growth-") as folder:
        place = Path(folder)
        files = copied(package, place, copies)
        ours = cost(place, byte_code, "-m", "promo_mypy.cli", command, ".")
        return files, ours, cost(place, byte_code, *_MYPY, ".")


def _row(copies: int, files: int, ours: Cost, stock: Cost, before: Cost | None) -> str:
    further = (ours.cpu - before.cpu) / (copies / 2) if before is not None else 0
    added = f"{further:.1f} s" if before is not None else ""
    ratios = f"{ours.cpu / stock.cpu:.2f}, {ours.memory / stock.memory:.2f} times"
    shown = f"{ours.cpu:.1f} s, {ours.memory:.0f} MiB ({ratios})"
    return f"| {copies} | {files} | {shown} | {stock.cpu:.1f} s, {stock.memory:.0f} MiB | {added} |"


def copied(package: Path, folder: Path, copies: int) -> int:
    """Copy a package some times, each under a name of its own; the number of Python files."""
    files = 0
    for number in range(copies):
        name = f"{package.name}_{number}"
        shutil.copytree(package, folder / name)
        for file in (folder / name).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            renamed = re.sub(rf"^(\s*(?:from|import)\s+){package.name}\b", rf"\g<1>{name}", text, flags=re.MULTILINE)
            file.write_text(renamed, encoding="utf-8")
            files += 1
    return files


def cost(folder: Path, byte_code: Path, *arguments: str) -> Cost:
    """The cost of a command of this Python in a folder.

    Raises:
        CheckFailedError: it could not check the files.
    """
    found, code, printed = run([sys.executable, *arguments], folder, variables(byte_code))
    if code not in (0, 1):
        raise CheckFailedError(printed[-4000:])
    return found


def _print(line: str) -> None:
    """Print a line at once: the runs take minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
