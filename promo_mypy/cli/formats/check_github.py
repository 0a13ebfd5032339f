"""Write findings for GitHub Actions: annotations of the lines, and the summary of a job."""

from collections import Counter
from typing import Final

from promo_mypy.cli.formats.check_text import cell_line, place, printable, summary
from promo_mypy.linting.report import Report
from promo_mypy.rules.findings import Finding
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS

#: The most findings in the summary of a job; it counts the others.
_MOST_FINDINGS: Final = 50


def check_github(report: Report) -> str:
    """GitHub's workflow commands: an annotation for each finding."""
    return "\n".join(map(_command, report.findings))


def job_summary(report: Report) -> str:
    """A Markdown table of the codes, for the summary of a job, and the first findings."""
    counts = Counter(finding.code for finding in report.findings)
    lines = ["### promo-mypy", "", summary(report), ""]
    if not counts:
        return "\n".join(lines)
    meanings = {row.code: row.meaning for row in DIAGNOSTICS}
    lines += ["| Code | Findings | Meaning |", "|---|---:|---|"]
    lines += [f"| `{code}` | {count} | {_cell(meanings[code])} |" for code, count in sorted(counts.items())]
    lines += ["", "| Place | Finding |", "|---|---|"]
    lines += [f"| `{place(each)}` | {_cell(printable(each.text))} |" for each in report.findings[:_MOST_FINDINGS]]
    if len(report.findings) > _MOST_FINDINGS:
        lines.append(f"| | {len(report.findings) - _MOST_FINDINGS} more |")
    return "\n".join([*lines, ""])


def _command(finding: Finding) -> str:
    span = finding.span
    values = {"file": finding.path, "line": span.line, "endLine": span.end_line, "title": finding.code}
    if finding.cell is not None:  # its lines are not those of the file
        values = {"file": finding.path, "title": finding.code}
    elif span.end_line == span.line:  # GitHub takes columns only within one line
        values |= {"col": span.column, "endColumn": span.end_column}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in values.items())
    text = "\n".join([cell_line(finding) + finding.text, *finding.origin])
    return f"::error {properties}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
