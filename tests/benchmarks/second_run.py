"""Measure the second run of `promo-mypy check` beside the second run of mypy: `python -m tests.benchmarks.second_run`.

For each published package, fetched with pip without what it needs: the first run, an unchanged one, and one after a
function was added to a file. The unit is the CPU time of stock mypy in the same state, measured in turns.

Options: `--rounds N`, `--sources FOLDER` where packages are already, `--only NAME` (may be repeated).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from tests.mypy_runs import environment

#: Distribution -> its import package and the file that is edited. The last two are large.
PACKAGES: Final = {
    "dm-pix": ("dm_pix", "_src/augment.py"),
    "rlax": ("rlax", "_src/policy_gradients.py"),
    "vector-quantize-pytorch": ("vector_quantize_pytorch", "residual_vq.py"),
    "pyroomacoustics": ("pyroomacoustics", "utilities.py"),
    "pystoi": ("pystoi", "stoi.py"),
    "torchmetrics": ("torchmetrics", "functional/audio/snr.py"),
    "scikit-image": ("skimage", "exposure/exposure.py"),
}
_CHECK: Final = ("-m", "promo_mypy.cli", "check")
_MYPY: Final = ("-m", "mypy", "--ignore-missing-imports", "--check-untyped-defs", "--config-file=")


@dataclass(frozen=True, slots=True)
class Times:
    """CPU seconds of the runs over one package: `promo-mypy check`, and stock mypy."""

    check: float
    mypy: float

    def __str__(self) -> str:
        """Both, and their ratio."""
        return f"{self.check:.2f} s, {self.mypy:.2f} s ({self.check / self.mypy:.2f})"


def main() -> None:
    """Print a row of a table for each package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--only", action="append", choices=list(PACKAGES))
    arguments = parser.parse_args()
    written("| Package | files | first run | unchanged | one file edited |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="promo-second-run-") as folder:
        for name in arguments.only or PACKAGES:
            module, edited = PACKAGES[name]
            copy = Path(folder, name, module)
            shutil.copytree(fetched(name, module, arguments.sources or Path(folder, "sources")), copy)
            files = sum(1 for _ in copy.rglob("*.py"))
            first, unchanged, after = measured(copy, copy / edited, arguments.rounds)
            written(f"| {name} | {files} | {first} | {unchanged} | {after} |")


def written(line: str) -> None:
    """Print a line at once: the runs take minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def fetched(name: str, module: str, sources: Path) -> Path:
    """The folder of a package, which pip unpacks if it is not there."""
    place = sources / name
    if not (place / module).is_dir():
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-compile",
            "--target",
            str(place),
            name,
        ]
        subprocess.run(command, check=True)
    return place / module


def measured(package: Path, edited: Path, rounds: int) -> Iterator[Times]:
    """The times of the first runs, of unchanged ones and of those after an edit."""
    yield in_turns(package, 1)
    in_turns(package, 1)  # stamps younger than two seconds are not trusted yet
    yield in_turns(package, rounds)
    after = []
    for number in range(rounds):
        with edited.open("a", encoding="utf-8") as file:
            file.write(f"\n\ndef added_{number}(x: int) -> int:\n    return x + {number}\n")
        after.append(in_turns(package, 1))
    yield Times(median(each.check for each in after), median(each.mypy for each in after))


def in_turns(package: Path, rounds: int) -> Times:
    """The medians over some rounds of both commands."""
    home = package.parent
    checks, stock = [], []
    for _ in range(rounds):
        checks.append(cpu(home, *_CHECK, package.name))
        stock.append(cpu(home, *_MYPY, package.name))
    return Times(median(checks), median(stock))


def cpu(folder: Path, *command: str) -> float:
    """The CPU seconds of a command of this Python, those of its own processes included."""
    before = _children()
    done = subprocess.run([sys.executable, *command], cwd=folder, env=environment(), capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    return _children() - before


def _children() -> float:
    times = os.times()
    return times.children_user + times.children_system


if __name__ == "__main__":
    main()
    written(f"\n{time.strftime('%Y-%m-%d')}, Python {sys.version.split()[0]}")
