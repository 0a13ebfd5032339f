"""Read the output of `promo-mypy infer --format json`: the places of the expressions to check, and their dtypes."""

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from promo_mypy.rules.dtypes import DTYPES
from promo_runtime.actual_dtypes import Actual

_VERSION: Final = 1


class InferenceError(ValueError):
    """A file that is not the output of `promo-mypy infer`, or a failed run of it."""


class Span(NamedTuple):
    """The place of an expression, numbered as in `ast`: lines from 1, columns from 0 in bytes of UTF-8."""

    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, node: ast.expr) -> "Span":
        """The place of a node of `ast`."""
        return cls(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)


@dataclass(frozen=True, slots=True)
class InferredExpression:
    """An expression with its inferred dtypes.

    Attributes:
        path: its file.
        span: its place.
        dtypes: the dtypes.
        if_empty: those that it has only if a sequence is empty.
        is_recorded: whether the dtypes were recorded in runs, and not inferred.
    """

    path: str
    span: Span
    dtypes: frozenset[Actual]
    if_empty: frozenset[Actual] = frozenset()
    is_recorded: bool = False

    @property
    def text(self) -> str:
        """How the dtypes are known, and their names, in messages."""
        names = " | ".join(name for name, dtype in DTYPES.items() if dtype in self.dtypes)
        return f"{'recorded' if self.is_recorded else 'inferred'} {names}"


def read_inference(text: str, folder: Path) -> tuple[InferredExpression, ...]:
    """The expressions of known dtype; relative paths become absolute, based on `folder`. Raises InferenceError."""
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
    if_empty = frozenset(DTYPES[name] for name in written.get("if_empty", ()))
    path = str((folder / written["path"]).resolve())
    is_recorded = bool(written.get("observed"))
    return InferredExpression(path, span, dtypes, if_empty, is_recorded) if dtypes else None
