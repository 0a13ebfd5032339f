"""Kept reports: an unchanged check gives the report of the last one without mypy."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from promo_mypy.checking.kept.facts import Facts
from promo_mypy.checking.kept.plain import plain
from promo_mypy.checking.kept.questions import question_of
from promo_mypy.checking.kept.store import Question, Store
from promo_mypy.checking.python_files import python_files
from promo_mypy.linting.environment import interpreter
from promo_mypy.linting.report import Report
from promo_mypy.linting.request import LintRequest

_COMMAND: Final = "check"


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept: the report, and the files that were found under the paths of the request."""

    files: tuple[str, ...]
    report: Report


def kept_report(request: LintRequest) -> Report | None:
    """The report of the last check, if nothing has changed since; None without one."""
    if not is_kept(request):
        return None
    kept = Store(request.cache).read(_question(request), _Kept)
    found = python_files(request.paths, request.leaves_out, notebooks=request.notebooks)
    return kept.report if kept is not None and kept.files == _texts(found) else None


def keep(request: LintRequest, files: Iterable[Path], report: Report, facts: Facts) -> None:
    """Keep the report on some files."""
    Store(request.cache).keep(_question(request), facts, plain(_Kept(_texts(files), report)))


def earlier_facts(request: LintRequest) -> Facts | None:
    """The facts of the kept report, whether they hold or not."""
    return Store(request.cache).facts(_question(request))


def is_kept(request: LintRequest) -> bool:
    """Whether reports on a request are kept. Text from standard input is in no file."""
    return request.cache is not None and request.stdin is None


def _question(request: LintRequest) -> Question:
    python = request.python or interpreter(Path.cwd())
    return question_of(_COMMAND, request=plain(request), python=str(python))


def _texts(files: Iterable[Path]) -> tuple[str, ...]:
    return tuple(map(str, files))
