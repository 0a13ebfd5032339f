"""Run `promo-mypy check` with all codes over the released sources of a package, as a user runs it there."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import run
from typing import Final

from tests.mypy_runs import environment
from tests.packages.findings.rows import PackageRow

#: The exit statuses of a check that has done its work.
_DONE: Final = (0, 1)


class CheckFailedError(Exception):
    """A package could not be checked; the message names it and says why."""


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A finding, without what changes from release to release of the package.

    Attributes:
        package: the distribution.
        file: the path below the folder of its release.
        source: the line of source, stripped.
        code: the code of the diagnostic.
        line: its number.
        message: what is told.
    """

    package: str
    file: str
    source: str
    code: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A package after a check: its findings, and the lines of the Python files that were read."""

    row: PackageRow
    lines: int
    files: int
    findings: Sequence[Found]


def checked(row: PackageRow, sources: Path, cache: Path) -> Checked:
    """Check one package. The libraries are read once for all packages, into the cache.

    Raises:
        CheckFailedError: the check did not end as it should.
    """
    folder = sources / row.package.folder
    command = [sys.executable, "-m", "promo_mypy.cli", "check", ".", "--select", "all", "--format", "json"]
    done = run(
        [*command, "--cache-dir", str(cache)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in _DONE:
        raise CheckFailedError(f"{row.package.name} was not checked: {(done.stderr or done.stdout).strip()}")
    report = json.loads(done.stdout)
    findings = [
        Found(row.package.name, each["path"], each["source"], each["code"], each["line"], each["message"])
        for each in report["findings"]
    ]
    files = list(folder.rglob("*.py"))
    lines = sum(len(file.read_bytes().splitlines()) for file in files)
    return Checked(row, lines, len(files), tuple(sorted(findings)))
