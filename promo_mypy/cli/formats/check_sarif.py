"""Write findings in SARIF 2.1.0, which code scanning reads."""

import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from promo_mypy.cli.formats.check_text import cell_line
from promo_mypy.cli.versions import version
from promo_mypy.linting.report import Report
from promo_mypy.rules.findings import Cast, Finding, Replacement, Span
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT: Final = "SRCROOT"
_RULES: Final = {row.code: number for number, row in enumerate(DIAGNOSTICS)}


def check_sarif(report: Report) -> str:
    """The log of one run."""
    driver = {
        "name": "promo-mypy",
        "semanticVersion": version("promo-mypy", missing="0.0.0"),
        "rules": [
            {
                "id": row.code,
                "shortDescription": {"text": row.meaning},
                "defaultConfiguration": {"level": "error", "enabled": row.enabled},
            }
            for row in DIAGNOSTICS
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{Path.cwd().as_uri()}/"}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(report)}],
        "results": [_result(finding) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False)


def _result(finding: Finding) -> dict[str, Any]:
    location = _location(finding, finding.span)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _RULES[finding.code],
        "level": "error",
        "message": {"text": "\n".join([cell_line(finding) + finding.text, *finding.origin])},
        "locations": [location],
        "partialFingerprints": {"promoSourceLine/v1": f"{finding.code}:{finding.message}:{finding.source}"},
    }
    related = [(each.dtype, each.span) for each in finding.labels] + [(each.text, each.span) for each in finding.calls]
    if related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": text}, **_location(finding, span)}
            for number, (text, span) in enumerate(related, start=1)
        ]
    if finding.cell is not None:
        return result
    if finding.cast is not None:
        result["fixes"] = [_fix(finding, _around(finding.cast))]
    elif finding.replacement is not None:
        result["fixes"] = [_fix(finding, [_replaced(finding.replacement)])]
    return result


def _location(finding: Finding, span: Span) -> dict[str, Any]:
    """A place in a file, or a cell of a notebook: its lines are not those of the file."""
    artifact = {"artifactLocation": _artifact(finding.path)}
    if finding.cell is None:
        return {"physicalLocation": {**artifact, "region": _region(span)}}
    name = f"cell {finding.cell}, line {span.line}, column {span.column}"
    return {"physicalLocation": artifact, "logicalLocations": [{"fullyQualifiedName": name}]}


def _around(cast: Cast) -> list[dict[str, Any]]:
    """The cast as two insertions, as it stands around the expression, or as the text that takes its place."""
    before, mark, after = cast.template.partition("{}")
    if not mark:
        return [{"deletedRegion": _region(cast.span), "insertedContent": {"text": before}}]
    start, end = cast.span, cast.span
    head = {"startLine": start.line, "startColumn": start.column, "endColumn": start.column}
    tail = {"startLine": end.end_line, "startColumn": end.end_column, "endColumn": end.end_column}
    opening, closing = (before, after) if before else ("(", f"){after}")
    return [
        {"deletedRegion": head, "insertedContent": {"text": opening}},
        {"deletedRegion": tail, "insertedContent": {"text": closing}},
    ]


def _replaced(replacement: Replacement) -> dict[str, Any]:
    return {"deletedRegion": _region(replacement.span), "insertedContent": {"text": replacement.text}}


def _fix(finding: Finding, replacements: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "description": {"text": finding.remedy or "insert the cast"},
        "artifactChanges": [{"artifactLocation": _artifact(finding.path), "replacements": replacements}],
    }


def _artifact(path: str) -> dict[str, str]:
    file = Path(path)
    if file.is_absolute():
        return {"uri": file.as_uri()}
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _notifications(report: Report) -> list[dict[str, Any]]:
    rows = [(each.path, each.reason) for each in report.left_out]
    return [
        {
            "level": "warning",
            "message": {"text": f"left out {path}: {reason}"},
            "locations": [{"physicalLocation": {"artifactLocation": _artifact(Path(path).as_posix())}}],
        }
        for path, reason in rows
    ]
