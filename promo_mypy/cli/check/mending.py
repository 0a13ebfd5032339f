"""Show or make the changes that findings propose. Only this needs libcst; if it is missing, one line says so."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from promo_mypy.cli import output
from promo_mypy.cli.formats.check_text import counted
from promo_mypy.linting.report import Report
from promo_mypy.linting.request import LintRequest


def show(report: Report, request: LintRequest) -> None:
    """Print what the fixes change, as a diff, and their number on stderr."""
    contents = {} if request.stdin is None else {str(request.stdin_path): request.stdin.encode()}
    files = _fixes().mended(report.findings, contents)
    diff = "".join(file.diff for file in files)
    if diff:
        output.emit(diff.removesuffix("\n"))
        _tell(files, "would insert", "would remove")
    elif report.findings:
        output.note(f"no fix for {counted(len(report.findings), 'finding')}")


def mend(report: Report) -> bool:
    """Write the fixes; return whether there were any. Exits with status 2 if a file cannot be written."""
    fixes = _fixes()
    try:
        files = fixes.mended(report.findings)
        fixes.write(files)
    except OSError as error:
        output.fail(f"{error.filename}: cannot be written: {error.strerror}")
    _tell(files, "inserted", "removed")
    return bool(files)


def _tell(files: Sequence[Any], inserted: str, removed: str) -> None:
    """Print the numbers of casts and comments of some mended files."""
    for done, number_of in ((inserted, "casts"), (removed, "comments")):
        counts = [count for file in files if (count := getattr(file, number_of))]
        if counts:
            output.note(f"{done} {counted(sum(counts), number_of[:-1])} in {counted(len(counts), 'file')}")


def _fixes() -> ModuleType:
    try:
        from promo_mypy.fixing import mended_files
    except ImportError:
        output.fail('fixes need libcst: python -m pip install "promo-mypy[fix]"')
    return mended_files
