"""Write findings as GitLab's report of code quality."""

import json
from collections import Counter
from hashlib import sha256
from typing import Any

from promo_mypy.cli.formats.check_text import cell_line
from promo_mypy.linting.report import Report
from promo_mypy.rules.findings import Finding


def check_gitlab(report: Report) -> str:
    """GitLab's report of code quality."""
    return json.dumps(_issues(report), indent=1, ensure_ascii=False)


def _issues(report: Report) -> list[dict[str, Any]]:
    seen: Counter[str] = Counter()
    issues = []
    for finding in report.findings:
        key = "\0".join((finding.path, finding.code, finding.message, finding.source))
        seen[key] += 1
        issues.append(
            {
                "description": f"{finding.code}: {cell_line(finding)}{finding.text}",
                "check_name": finding.code,
                "fingerprint": sha256(f"{key}\0{seen[key]}".encode()).hexdigest(),
                "severity": "major",
                "location": {
                    "path": finding.path,
                    "lines": _lines(finding),
                },
            }
        )
    return issues


def _lines(finding: Finding) -> dict[str, int]:
    """The lines in the file; the first one for a notebook, whose cells have lines of their own."""
    if finding.cell is not None:
        return {"begin": 1, "end": 1}
    return {"begin": finding.span.line, "end": finding.span.end_line}
