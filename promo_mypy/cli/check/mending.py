"""Show or make the changes that findings propose. Only this needs libcst; if it is missing, one line says so."""

from types import ModuleType

from promo_mypy.cli import output
from promo_mypy.cli.check.outcome import Outcome
from promo_mypy.cli.formats.check_text import counted
from promo_mypy.linting.request import LintRequest


def show(outcome: Outcome, request: LintRequest) -> None:
    """Print what the fixes change, as a diff."""
    contents = {} if request.stdin is None else {str(request.stdin_path): request.stdin.encode()}
    diff = "".join(file.diff for file in _fixes().mended(outcome.findings, contents))
    if diff:
        output.emit(diff.removesuffix("\n"))


def mend(outcome: Outcome) -> bool:
    """Write the fixes; return whether there were any. Exits with status 2 if a file cannot be written."""
    fixes = _fixes()
    try:
        files = fixes.mended(outcome.findings)
        fixes.write(files)
    except OSError as error:
        output.fail(f"{error.filename}: cannot be written: {error.strerror}")
    for what, number_of in (("inserted {} in {}", "casts"), ("removed {} in {}", "comments")):
        counts = [count for file in files if (count := getattr(file, number_of))]
        if counts:
            output.note(what.format(counted(sum(counts), number_of[:-1]), counted(len(counts), "file")))
    return bool(files)


def _fixes() -> ModuleType:
    try:
        from promo_mypy.fixing import mended_files
    except ImportError:
        output.fail('fixes need libcst: python -m pip install "promo-mypy[fix]"')
    return mended_files
