"""The schemas of other projects' files, which check-jsonschema ships."""

import json
from importlib.resources import files
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # jsonschema has no types


def validate(document: Any, name: str) -> None:
    """Compare a document with a schema, such as `github-workflows.json`. Raises jsonschema's ValidationError."""
    schema = json.loads((files("check_jsonschema.builtin_schemas.vendor") / name).read_text(encoding="utf-8"))
    jsonschema.validators.validator_for(schema)(schema).validate(document)
