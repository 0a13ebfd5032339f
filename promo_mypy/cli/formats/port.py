"""Write a survey by file and cause: as text, as an HTML page, and as JSON in the form of docs/command-line.md."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from promo_mypy.cli.colours import BLUE, ORANGE
from promo_mypy.cli.formats.check_text import counted
from promo_mypy.cli.formats.html_page import code, page, paragraphs, section, table
from promo_mypy.port.findings import Cause, Survey
from promo_mypy.program.expressions import Place

#: Increases when a key of the JSON changes its meaning or is removed, not when a key is added.
VERSION: Final = 1


def port_text(survey: Survey) -> Text:
    """The survey; the first line is the sum."""
    lines = [Text(_summary(survey), style="bold")]
    for path, causes in survey.findings.items():
        lines += [Text(), Text.assemble((str(path), f"bold {BLUE}"), f" ({survey.count(path)})")]
        for cause, places in causes.items():
            ported = cause.ported or "rejected"
            why = "" if cause.ported else f" ({cause.reason})"
            results = f"{cause.result} under {survey.source}, {ported} under {survey.target}{why}"
            lines += [
                Text.assemble("  ", (cause.operation, "bold"), ": ", (results, ORANGE), f" ({len(places)})"),
                Text(f"    {'lines' if len(_lines(places)) > 1 else 'line'} {', '.join(_lines(places))}"),
                Text(f"    {cause.remedy}"),
            ]
    return Text("\n").join(lines)


def port_html(survey: Survey) -> str:
    """The page: one table for each file, one row for each cause."""
    said = (_summary(survey), *(f"Left out: {each}" for each in survey.left_out))
    tables = [line for path in survey.findings for line in _table(survey, path)]
    return page(f"From {survey.source} to {survey.target}", [*paragraphs(said), *tables])


def port_json(survey: Survey) -> str:
    """The survey as one JSON object."""
    content = {
        "version": VERSION,
        "from": survey.source,
        "to": survey.target,
        "files_checked": survey.files,
        "left_out": [asdict(each) for each in survey.left_out],
        "operations": survey.operations,
        "differing": survey.differing,
        "files": [
            {
                "file": path.as_posix(),
                "differing": survey.count(path),
                "causes": [_cause(cause, places) for cause, places in causes.items()],
            }
            for path, causes in survey.findings.items()
        ],
    }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _summary(survey: Survey) -> str:
    if not survey.operations:
        return f"No operation of known dtype follows {survey.source} in {counted(survey.files, 'file')}."
    differ = "differs" if survey.differing == 1 else "differ"
    where = f" in {counted(len(survey.findings), 'file')}" if survey.findings else ""
    return (
        f"{survey.source} -> {survey.target}: {survey.differing} of {counted(survey.operations, 'operation')}"
        f" {differ}{where}; {counted(survey.files, 'file')} checked."
    )


def _table(survey: Survey, path: Path) -> Iterator[str]:
    heads = ("Operation", survey.source, survey.target, "Count", "Lines", "To make it portable")
    rows = (
        (
            code(cause.operation),
            code(cause.result),
            code(cause.ported) if cause.ported else f"rejected: {escape(cause.reason)}",
            str(len(places)),
            ", ".join(_lines(places)),
            escape(cause.remedy),
        )
        for cause, places in survey.findings[path].items()
    )
    file = path.as_posix()
    return section(file, survey.count(path), table(file, heads, rows), is_open=True)


def _lines(places: Sequence[Place]) -> list[str]:
    return list(dict.fromkeys(str(place.line) for place in places))


def _cause(cause: Cause, places: Sequence[Place]) -> dict[str, Any]:
    return {
        "operator": cause.symbol,
        "operands": list(cause.operands),
        "result": cause.result,
        "ported": cause.ported or None,
        "reason": cause.reason or None,
        "remedy": cause.remedy,
        "count": len(places),
        "places": [place._asdict() for place in places],
    }
