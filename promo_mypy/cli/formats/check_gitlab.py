"""Write findings as GitLab's report of code quality."""

import json
from collections import Counter
from hashlib import sha256
from typing import Any

from promo_mypy.cli.check.outcome import Outcome


def check_gitlab(outcome: Outcome) -> str:
    """GitLab's report of code quality."""
    return json.dumps(_issues(outcome), indent=1, ensure_ascii=False)


def _issues(outcome: Outcome) -> list[dict[str, Any]]:
    seen: Counter[str] = Counter()
    issues = []
    for finding in outcome.findings:
        key = "\0".join((finding.path, finding.code, finding.message, finding.source))
        seen[key] += 1
        issues.append(
            {
                "description": f"{finding.code}: {finding.text}",
                "check_name": finding.code,
                "fingerprint": sha256(f"{key}\0{seen[key]}".encode()).hexdigest(),
                "severity": "major",
                "location": {
                    "path": finding.path,
                    "lines": {"begin": finding.span.line, "end": finding.span.end_line},
                },
            }
        )
    return issues
