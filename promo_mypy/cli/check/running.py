"""Run a check from the settings to the exit status."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Final

import typer

from promo_mypy.checking.kept import cache_folder
from promo_mypy.checking.project import Project, project_of
from promo_mypy.cli import output
from promo_mypy.cli.check import mending, reports
from promo_mypy.cli.check.changed_lines import RevisionError, changed_since, in_changes
from promo_mypy.cli.check.printed import Printing
from promo_mypy.cli.check.requests import request_of
from promo_mypy.cli.check.settings import Settings
from promo_mypy.cli.formats.check_text import counted, lines_in, lines_of
from promo_mypy.config import ConfigError
from promo_mypy.linting import baseline as baselines
from promo_mypy.linting.kept import kept_report
from promo_mypy.linting.report import Report
from promo_mypy.linting.request import LintRequest
from promo_mypy.notebooks.reading import MISSING

#: The exit status after Ctrl-C, as shells count: 128 and the number of the signal.
INTERRUPTED: Final = 130
#: The most rounds of inserting casts. Each round adds one cast around another, and no sane program nests so many.
_MOST_ROUNDS: Final = 8


def run(settings: Settings) -> None:
    """Check, report and exit."""
    with _clear_messages():
        printing = Printing()
        if settings.conflict is not None:
            raise typer.BadParameter(settings.conflict)
        run = _Run(settings, project_of(Path.cwd(), settings.config_file))
        if settings.watch:
            run.watch()
        if settings.write_baseline:
            run.write_baseline()
        report = run.mended() if settings.fix else run.checked()
        if settings.show_fixes:
            mending.show(report, run.request)
        with printing.noted():
            run.tell(report)
        status = run.status(report)
        if run.baseline is None:
            printing.keep(settings, run.request, status)
        raise typer.Exit(status)


@dataclass(frozen=True)
class _Run:
    """A check with some settings, in a repository with some options."""

    settings: Settings
    project: Project

    @cached_property
    def request(self) -> LintRequest:
        """What is checked."""
        return request_of(self.settings, self.project)

    @property
    def baseline(self) -> Path | None:
        """The baseline, if there is one."""
        return self.project.path(self.settings.baseline, self.project.options.baseline)

    def checked(self) -> Report:
        """The findings that are left after the comparison with a revision and a baseline."""
        settings = self.settings
        # Asked first: a wrong revision should not cost a run of mypy.
        changes = changed_since(settings.diff) if settings.diff is not None else None
        report = linted(self.request)
        if changes is not None:
            report = replace(report, findings=in_changes(report.findings, changes))
        if self.baseline is None:
            return report
        compared = baselines.compare(report.findings, self.baseline)
        # With a revision or only some paths the other entries are not looked for.
        gone = compared.gone if changes is None and not settings.paths else 0
        return replace(report, findings=compared.new, known=compared.known, gone=gone)

    def mended(self) -> Report:
        """The findings that are left when no cast helps any more. A cast around another one waits for a round."""
        report = self.checked()
        for _ in range(_MOST_ROUNDS):
            if not mending.mend(report):
                break
            report = self.checked()
        return report

    def tell(self, report: Report) -> None:
        """Write the report, and what the check could not see."""
        if not self.settings.show_fixes:
            stdin = self.request.stdin
            lines = lines_of if stdin is None else partial(lines_in, stdin.encode())
            reports.write(report, self.settings, lines)
        reports.tell(report)

    def status(self, report: Report) -> int:
        """The exit status: 2 if something could not be checked, 1 for findings, 0 without.

        Notebooks in a folder that only an optional package can read are no failure.
        """
        named = {str(path) for path in (*self.request.paths, self.request.stdin_path) if path is not None}
        if any(each.path in named or each.reason != MISSING for each in report.left_out):
            return 2
        if report.unseen_arrays and (self.settings.fail_on_unseen or self.project.options.fail_on_unseen):
            return 2
        return 1 if report.findings else 0

    def watch(self) -> None:
        """Check again whenever a file changes."""
        from promo_mypy.cli.check.watching import watch

        watch(self.request, lambda: self.tell(self.checked()))

    def write_baseline(self) -> None:
        """Write all findings into the baseline, and exit."""
        if self.baseline is None:
            raise typer.BadParameter("name the file with --baseline, or with the option baseline of the check")
        found = linted(self.request).findings
        baselines.write(found, self.baseline)
        output.emit(f"Wrote {counted(len(found), 'finding')} into {self.baseline}.")
        raise typer.Exit(0)


def linted(request: LintRequest) -> Report:
    """The findings of mypy. A cache that it cannot read is made anew, once."""
    try:
        return _linted(request)
    except (KeyboardInterrupt, typer.Exit):
        raise
    except (Exception, SystemExit) as error:
        if request.cache is None:
            output.fail(_defect(error))
        cache_folder.remove(request.cache)
    try:
        report = _linted(request)
    except (Exception, SystemExit) as error:
        if isinstance(error, typer.Exit):
            raise
        output.fail(_defect(error))
    output.note(f"the cache {request.cache} could not be read and was made anew")
    return report


def _linted(request: LintRequest) -> Report:
    found = kept_report(request)
    if found is not None:
        return found
    # Only a check of changed code needs mypy and a progress bar, which take longer to load than other commands to run.
    from promo_mypy.cli import mypy_runs
    from promo_mypy.linting.lint import lint

    with mypy_runs.shown() as progress:
        return lint(request, progress)


def _defect(error: BaseException) -> str:
    what = "mypy has crashed" if isinstance(error, SystemExit) else f"{type(error).__name__}: {error}".splitlines()[0]
    return f"internal error: {what}; please report it with the code that is checked"


@contextmanager
def _clear_messages() -> Iterator[None]:
    """End with one line for what the user can change, and for Ctrl-C."""
    try:
        yield
    except (ConfigError, RevisionError, baselines.BaselineError) as error:
        output.fail(str(error))
    except KeyboardInterrupt:
        output.note("interrupted")
        raise typer.Exit(INTERRUPTED) from None
