"""Write the report of a check in the wanted form, and on stderr what the check could not see."""

import os
from importlib import import_module
from pathlib import Path

from rich.text import Text

from promo_mypy.cli import output
from promo_mypy.cli.check.settings import Format, Settings
from promo_mypy.cli.formats.check_text import Lines, check_text, concise, lines_of, printable, statistics
from promo_mypy.linting.report import Report

#: Packages that are named on stderr; all are in the JSON output.
_MOST_PACKAGES = 5


def write(report: Report, settings: Settings, lines: Lines = lines_of) -> None:
    """Write the findings to the terminal or the file."""
    text = written(report, settings, lines)
    if text or settings.output is not None:
        output.emit(text, settings.output)
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if settings.form is Format.GITHUB and place:
        from promo_mypy.cli.formats.check_github import job_summary

        output.append(job_summary(report), Path(place))


def written(report: Report, settings: Settings, lines: Lines = lines_of) -> str | Text:
    """The findings in the wanted form."""
    match settings.form:
        case Format.TEXT:
            text: str | Text = check_text(report, output.width(), lines)
        case Format.CONCISE:
            text = concise(report)
        case form:
            text = _for_tools(report, form)
    if settings.statistics and settings.form is not Format.JSON:
        counts = statistics(report)
        return Text("\n\n").join([text, Text(counts)]) if isinstance(text, Text) else counts
    return text


def _for_tools(report: Report, form: Format) -> str:
    """The findings as a tool reads them. Importing all of these modules takes as long as an unchanged check."""
    formats = import_module(f"promo_mypy.cli.formats.check_{form}")
    text: str = getattr(formats, f"check_{form}")(report)
    return text


def tell(report: Report) -> None:
    """Tell on stderr which files and packages the check could not see."""
    by_reason: dict[str, list[str]] = {}
    for each in report.left_out:
        by_reason.setdefault(each.reason, []).append(each.path)
    for reason, paths in by_reason.items():
        others = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        output.note(f"left out {printable(paths[0])}{others}: {printable(reason)}")
    for library in report.unseen_arrays:
        output.note(
            f"{library.package} is not seen ({library.reason} by {report.python}), so the dtypes of its arrays are"
            " unknown; name its environment with --python"
        )
    missing = [each for each in report.unseen if each not in report.unseen_arrays]
    if missing:
        named = [f"{each.package} ({each.reason})" for each in missing][:_MOST_PACKAGES]
        more = f" and {len(missing) - len(named)} more" if len(missing) > len(named) else ""
        output.note(f"not seen: {', '.join(named)}{more}; dtypes of values from there are unknown")
    if report.gone:
        entries = (
            "1 entry of the baseline matches" if report.gone == 1 else f"{report.gone} entries of the baseline match"
        )
        output.note(f"{entries} no finding any more; --write-baseline removes what is gone")
