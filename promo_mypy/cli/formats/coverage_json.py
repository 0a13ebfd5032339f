"""Write coverage as JSON, in the form that docs/command-line.md describes."""

import json
from dataclasses import asdict
from typing import Any, Final

from promo_mypy.inference.counts import Cause, Counts, Coverage

#: Increases when a key changes its meaning or is removed, not when a key is added.
VERSION: Final = 1


def coverage_json(coverage: Coverage) -> str:
    """The figures as one JSON object."""
    content = {
        "version": VERSION,
        **_counts(coverage.counts),
        "annotated": _counts(coverage.annotated),
        "causes": [{**_cause(cause), "count": count} for cause, count in coverage.causes.items()],
        "files": [
            {
                "path": file.path,
                **_counts(file.counts),
                "annotated": _counts(file.annotated),
                "causes": [
                    {**_cause(cause), "count": len(lines), "lines": list(lines)} for cause, lines in file.causes.items()
                ],
            }
            for file in coverage.files
        ],
        "left_out": [asdict(each) for each in coverage.left_out],
    }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _counts(counts: Counts) -> dict[str, float]:
    return {
        "expressions": counts.total,
        "exact": counts.exact,
        "several": counts.several,
        "unknown": counts.unknown,
        "percent": round(counts.percent, 2),
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {"kind": cause.kind.value, "name": cause.name, "text": cause.text}
