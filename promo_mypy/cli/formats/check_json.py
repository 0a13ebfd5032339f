"""Write findings as JSON, in the form that docs/check.md describes."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Any, Final

from promo_mypy.linting.report import Report
from promo_mypy.rules.findings import Finding

#: Increases when a key changes its meaning or is removed, not when a key is added.
VERSION: Final = 1


def check_json(report: Report) -> str:
    """The findings as one JSON object."""
    content = {
        "version": VERSION,
        "python": report.python,
        "files": list(report.files),
        "left_out": [asdict(each) for each in report.left_out],
        "unseen": [asdict(each) for each in report.unseen],
        "in_baseline": report.known,
        "statistics": dict(sorted(Counter(each.code for each in report.findings).items())),
        "findings": [_finding(each) for each in report.findings],
    }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "path": finding.path,
        "cell": finding.cell,
        **asdict(finding.span),
        "code": finding.code,
        "message": finding.message,
        "remedy": finding.remedy or None,
        "origin": list(finding.origin),
        "calls": [{**asdict(call.span), "text": call.text} for call in finding.calls],
        "operands": [{**asdict(label.span), "dtype": label.dtype} for label in finding.labels],
        "source": finding.source,
        "comment": None if finding.replacement is None else finding.replacement.text,
        "cast": None if finding.cast is None else {**asdict(finding.cast.span), "template": finding.cast.template},
    }
