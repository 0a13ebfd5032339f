"""Write a survey as JSON, in the form that docs/command-line.md describes."""

import json
from dataclasses import asdict
from typing import Any, Final

from promo_mypy.port.findings import Cause, Place, Survey

#: Increases when a key changes its meaning or is removed, not when a key is added.
VERSION: Final = 1


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


def _cause(cause: Cause, places: tuple[Place, ...]) -> dict[str, Any]:
    return {
        "operator": cause.symbol,
        "operands": list(cause.operands),
        "result": cause.result,
        "ported": cause.ported or None,
        "reason": cause.reason or None,
        "remedy": cause.remedy,
        "count": len(places),
        "places": [asdict(place) for place in places],
    }
