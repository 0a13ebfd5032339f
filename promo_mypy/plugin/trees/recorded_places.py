"""Find the places of a profile in mypy's tree of a module. Functions whose source has changed have none."""

import ast
from collections.abc import Iterator, Mapping

from mypy.nodes import Context, MypyFile

from promo_mypy.plugin.trees import file_texts
from promo_mypy.rules.profiles import (
    EXPRESSION,
    PARAMETER,
    Function,
    Functions,
    Observations,
    Place,
    Span,
    lines_of,
    source_digest,
)
from promo_mypy.rules.recorded_functions import recorded_functions
from promo_mypy.rules.records import record


@record
class RecordedPlaces:
    """What was recorded in one module.

    Attributes:
        expressions: place in the file -> what the expression was.
        parameters: line and name of a function -> name -> what the parameter was.
    """

    expressions: Mapping[Span, Observations]
    parameters: Mapping[tuple[int, str], Mapping[str, Observations]]


def recorded_places(tree: MypyFile, functions: Functions) -> RecordedPlaces:
    """The places of the functions whose source is still the one of the profile."""
    text = file_texts.text(tree)
    parsed = _parsed(text) if functions and text is not None else None
    if text is None or parsed is None:
        return RecordedPlaces({}, {})
    lines = lines_of(text)
    expressions = dict(_expressions(functions.get(Function("", source_digest(lines)), {}), 1))
    parameters: dict[tuple[int, str], dict[str, Observations]] = {}
    for each in recorded_functions(parsed, lines):
        places = functions.get(each.function, {})
        expressions.update(_expressions(places, each.first))
        if places:
            named = {place.name: found for place, found in places.items() if place.kind == PARAMETER}
            parameters[each.node.lineno, each.node.name] = named
    return RecordedPlaces(expressions, parameters)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def span_of(node: Context) -> Span:
    """The place of an expression in the file."""
    end_line = node.line if node.end_line is None else node.end_line
    return node.line, node.column, end_line, node.column if node.end_column is None else node.end_column


def _expressions(places: Mapping[Place, Observations], first: int) -> Iterator[tuple[Span, Observations]]:
    for place, found in places.items():
        if place.kind == EXPRESSION:
            line, column, end_line, end_column = place.span
            yield (line + first, column, end_line + first, end_column), found
