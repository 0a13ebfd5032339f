"""The output of `promo-mypy infer --format json` to the places whose values are to be looked at, and their dtypes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from promo_mypy.rules.dtypes import DTYPES
from promo_runtime.validation.actual_dtypes import Actual

_VERSION: Final = 1


class InferenceError(ValueError):
    """A file that is not what `promo-mypy infer` prints, or a run of it that failed."""


class Span(NamedTuple):
    """Where an expression stands, in the numbers of `ast`: lines from 1, columns from 0 in bytes of UTF-8."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class InferredExpression:
    """An expression and the dtypes that mypy says its value may have."""

    path: str
    span: Span
    dtypes: frozenset[Actual]

    @property
    def text(self) -> str:
        """The dtypes, to be shown."""
        return " | ".join(name for name, dtype in DTYPES.items() if dtype in self.dtypes)


def read_inference(text: str, folder: Path) -> tuple[InferredExpression, ...]:
    """The expressions of known dtype; paths are absolute then, from `folder` on. Raises InferenceError."""
    try:
        content = json.loads(text)
        if content["version"] != _VERSION:
            raise InferenceError(f"the inference has version {content['version']}, not {_VERSION}")
        found = [_expression(each, folder) for each in content["expressions"]]
    except (ValueError, TypeError, KeyError) as error:
        if isinstance(error, InferenceError):
            raise
        raise InferenceError(f"not the output of promo-mypy infer: {type(error).__name__}: {error}") from error
    return tuple(each for each in found if each is not None)


def _expression(written: Mapping[str, Any], folder: Path) -> InferredExpression | None:
    dtype = written["dtype"]
    names = [dtype] if isinstance(dtype, str) else dtype or []
    span = Span(written["line"], written["column"], written["end_line"], written["end_column"])
    dtypes = frozenset(DTYPES[name].strong for name in names)
    return InferredExpression(str((folder / written["path"]).resolve()), span, dtypes) if dtypes else None
