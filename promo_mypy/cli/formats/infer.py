"""Write inferred dtypes as text, one expression in each line, and as JSON in the form of docs/command-line.md."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from promo_mypy.cli import output
from promo_mypy.cli.colours import BLUE, ORANGE
from promo_mypy.program.expressions import Inference, InferredExpression, Place

#: Increases when a key of the JSON changes its meaning or is removed, not when a key is added.
VERSION: Final = 1


def infer_text(inference: Inference) -> Text:
    """The expressions with line and column, both from 1 as editors and mypy's messages count, and their dtypes."""
    lines: list[Text] = []
    for path, expressions in groupby(inference.expressions, key=lambda expression: expression.path):
        lines += [Text(), Text(path, style=f"bold {BLUE}"), *_file(path, list(expressions))]
    return Text("\n").join(lines[1:]) if lines else Text("No array expressions.")


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
        **expression.place._asdict(),
        "library": expression.library,
        "system": expression.system,
        "dtype": list(dtypes) if len(dtypes) > 1 else expression.dtype,
        "weak": expression.weak,
        **({"observed": True} if expression.is_observed else {}),
        **({"if_empty": list(expression.if_empty)} if expression.if_empty else {}),
    }


def _dtype(expression: InferredExpression) -> str:
    """The dtype, several of them, or `unknown`; whether it comes from a profile, and another one for no items."""
    weak = "weak " if expression.weak else ""
    observed = ", observed" if expression.is_observed else ""
    if_empty = f", {' | '.join(expression.if_empty)} if empty" if expression.if_empty else ""
    return weak + (" | ".join(expression.dtypes) or "unknown") + observed + if_empty


def _file(path: str, expressions: Sequence[InferredExpression]) -> Iterator[Text]:
    source = Path(path).read_bytes().splitlines()
    places = [_position(source, each.place) for each in expressions]
    codes = [_code(source, each.place) for each in expressions]
    dtypes = [_dtype(each) for each in expressions]
    of_places, of_dtypes = max(map(len, places)), max(map(len, dtypes))
    # The code gets the width that the other columns leave, with two blanks between columns and the longest library
    # name.
    of_codes = min(max(map(len, codes)), max(20, output.width() - of_places - of_dtypes - 18))
    for each, place, code, dtype in zip(expressions, places, codes, dtypes, strict=True):
        shown = code if len(code) <= of_codes else f"{code[: of_codes - 3]}..."
        style = "" if each.dtype else ORANGE
        library = each.library or "several"
        yield Text.assemble(
            f"  {place:>{of_places}}  {shown:<{of_codes}}  ", (f"{dtype:<{of_dtypes}}", style), f"  {library}"
        )


def _position(source: Sequence[bytes], place: Place) -> str:
    return f"{place.line}:{len(source[place.line - 1][: place.column].decode(errors='replace')) + 1}"


def _code(source: Sequence[bytes], place: Place) -> str:
    """The code of the expression in one line."""
    lines = list(source[place.line - 1 : place.end_line])
    lines[-1] = lines[-1][: place.end_column]
    lines[0] = lines[0][place.column :]
    return " ".join(b" ".join(lines).decode(errors="replace").split())
