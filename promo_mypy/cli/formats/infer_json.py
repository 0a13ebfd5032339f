"""Write inferred dtypes as JSON, in the form that docs/command-line.md describes."""

import json
from dataclasses import asdict
from typing import Any, Final

from promo_mypy.program.expressions import Inference, InferredExpression

#: Increases when a key changes its meaning or is removed, not when a key is added.
VERSION: Final = 1


def infer_json(inference: Inference) -> str:
    """The expressions as one JSON object."""
    content = {
        "version": VERSION,
        "files": list(inference.files),
        "left_out": [asdict(each) for each in inference.left_out],
        "expressions": [_expression(each) for each in inference.expressions],
    }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _expression(expression: InferredExpression) -> dict[str, Any]:
    dtypes = expression.dtypes
    return {
        "path": expression.path,
        **asdict(expression.place),
        "library": expression.library,
        "system": expression.system,
        "dtype": list(dtypes) if len(dtypes) > 1 else expression.dtype,
        "weak": expression.weak,
        **({"observed": True} if expression.is_observed else {}),
        **({"if_empty": list(expression.if_empty)} if expression.if_empty else {}),
    }
