"""Write coverage as JSON, in the form that docs/command-line.md describes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple
from typing import Any, Final

from promo_mypy.program.against import Comparison
from promo_mypy.program.counts import Cause, Counts, Coverage

#: Increases when a key changes its meaning or is removed, not when a key is added.
VERSION: Final = 2


def coverage_json(coverage: Coverage, against: Comparison | None = None) -> str:
    """The figures as one JSON object."""
    content: dict[str, Any] = {
        "version": VERSION,
        **_counts(coverage.counts),
        "annotated": _counts(coverage.annotated),
        "causes": _counted(coverage.causes),
        "files": [
            {
                "path": file.path,
                **_counts(file.counts),
                "annotated": _counts(file.annotated),
                "causes": [
                    {
                        **_cause(cause),
                        "count": len(places),
                        "lines": [place.line for place in places],
                        "places": [list(astuple(place)) for place in places],
                    }
                    for cause, places in file.causes.items()
                ],
            }
            for file in coverage.files
        ],
        "left_out": [asdict(each) for each in coverage.left_out],
    }
    if against is not None:
        content["against"] = {
            "expressions": against.total,
            "percent": against.percent,
            "gained": _counted(against.gained),
            "lost": _counted(against.lost),
        }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _counts(counts: Counts) -> dict[str, float]:
    return {
        "expressions": counts.total,
        "exact": counts.exact,
        "several": counts.several,
        "relative": counts.relative,
        "no_dtype": counts.no_dtype,
        "unknown": counts.unknown,
        "percent": round(counts.percent, 2),
    }


def _counted(causes: Mapping[Cause, int]) -> list[dict[str, Any]]:
    return [{**_cause(cause), "count": count} for cause, count in causes.items()]


def _cause(cause: Cause) -> dict[str, Any]:
    return {"kind": cause.kind.value, "name": cause.name, "text": cause.text}
