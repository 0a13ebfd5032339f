"""Run a check from the settings to the exit status."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from promo_mypy.checking.kept import cache_folder
from promo_mypy.checking.project import Project, project_of
from promo_mypy.cli import output
from promo_mypy.cli.check import mending, reports
from promo_mypy.cli.check.changed_lines import RevisionError, changed_since, in_changes
from promo_mypy.cli.check.outcome import Outcome
from promo_mypy.cli.check.printed import Printing
from promo_mypy.cli.check.requests import baseline_file, request_of
from promo_mypy.cli.check.settings import Settings
from promo_mypy.cli.formats.check_text import counted
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
        project = project_of(Path.cwd(), settings.inputs.config_file)
        request = request_of(settings, project)
        if settings.outputs.watch:
            _watch(settings, project, request)
        if settings.changes.write_baseline:
            _write_baseline(settings, project, request)
        outcome = checked(settings, project, request)
        if settings.changes.show_fixes:
            mending.show(outcome, request)
        elif settings.changes.fix:
            outcome = _mended(settings, project, request, outcome)
        with printing.noted():
            if not settings.changes.show_fixes:
                reports.write(outcome, settings.outputs, reports.lines_for(request))
            reports.tell(outcome)
        fail_on_unseen = settings.fail_on_unseen or project.options.fail_on_unseen
        result = status(outcome, request, fail_on_unseen=fail_on_unseen)
        if baseline_file(settings, project) is None:
            printing.keep(settings, request, result)
        raise typer.Exit(result)


def checked(settings: Settings, project: Project, request: LintRequest) -> Outcome:
    """The findings that are left after the comparison with a revision and a baseline."""
    # Asked first: a wrong revision should not cost a run of mypy.
    changes = changed_since(settings.changes.since) if settings.changes.since is not None else None
    report = linted(request)
    findings = report.findings if changes is None else in_changes(report.findings, changes)
    known = gone = 0
    file = baseline_file(settings, project)
    if file is not None:
        compared = baselines.compare(findings, file)
        findings, known = compared.new, compared.known
        # With a revision or only some paths the other entries are not looked for.
        gone = compared.gone if changes is None and not settings.inputs.paths else 0
    return Outcome(report.files, tuple(findings), report.left_out, report.unseen, report.python, known, gone)


def _mended(settings: Settings, project: Project, request: LintRequest, outcome: Outcome) -> Outcome:
    """The findings that are left when no cast helps any more. A cast around another one waits for the next round."""
    for _ in range(_MOST_ROUNDS):
        if not mending.mend(outcome):
            break
        outcome = checked(settings, project, request)
    return outcome


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


def status(outcome: Outcome, request: LintRequest, *, fail_on_unseen: bool) -> int:
    """The exit status: 2 if something could not be checked, 1 for findings, 0 without.

    Notebooks in a folder that only an optional package can read are no failure.
    """
    named = {str(path) for path in (*request.paths, request.stdin_path) if path is not None}
    if any(each.path in named or each.reason != MISSING for each in outcome.left_out):
        return 2
    if fail_on_unseen and outcome.unseen_arrays:
        return 2
    return 1 if outcome.findings else 0


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


def _watch(settings: Settings, project: Project, request: LintRequest) -> None:
    from promo_mypy.cli.check.watching import watch

    def report() -> None:
        outcome = checked(settings, project, request)
        reports.write(outcome, settings.outputs)
        reports.tell(outcome)

    watch(request, report)


def _write_baseline(settings: Settings, project: Project, request: LintRequest) -> None:
    file = baseline_file(settings, project)
    if file is None:
        raise typer.BadParameter("name the file with --baseline, or with the option baseline of the check")
    report = linted(request)
    baselines.write(report.findings, file)
    output.emit(f"Wrote {counted(len(report.findings), 'finding')} into {file}.")
    raise typer.Exit(0)


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
