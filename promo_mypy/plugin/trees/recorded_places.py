"""Find the places of a profile in mypy's tree of a module. Functions whose source has changed have none."""

from collections.abc import Iterator, Mapping

from mypy.nodes import Context, FuncDef, MypyFile

from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.syntax_trees import placed_statements
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
from promo_mypy.rules.records import record

NO_FUNCTIONS: Functions = {}


@record
class RecordedPlaces:
    """What was recorded in one module.

    Attributes:
        expressions: place in the file -> what the expression was.
        parameters: function -> name -> what the parameter was.
    """

    expressions: Mapping[Span, Observations]
    parameters: Mapping[FuncDef, Mapping[str, Observations]]


def recorded_places(tree: MypyFile, functions: Functions) -> RecordedPlaces:
    """The places of the functions whose source is still the one of the profile."""
    text = file_texts.text(tree)
    if not functions or text is None:
        return RecordedPlaces({}, {})
    lines = lines_of(text)
    expressions: dict[Span, Observations] = {}
    parameters: dict[FuncDef, dict[str, Observations]] = {}
    expressions.update(_expressions(functions.get(Function("", source_digest(lines)), {}), 1))
    for node, name in _functions(tree):
        last = node.line if node.end_line is None else node.end_line
        places = functions.get(Function(name, source_digest(lines[node.line - 1 : last])), {})
        if places:
            expressions.update(_expressions(places, node.line))
            parameters[node] = {place.name: found for place, found in places.items() if place.kind == PARAMETER}
    return RecordedPlaces(expressions, parameters)


def span_of(node: Context) -> Span:
    """The place of an expression in the file."""
    end_line = node.line if node.end_line is None else node.end_line
    return node.line, node.column, end_line, node.column if node.end_column is None else node.end_column


def _functions(tree: MypyFile) -> Iterator[tuple[FuncDef, str]]:
    for node, _, classes in placed_statements(tree):
        if isinstance(node, FuncDef):
            yield node, ".".join((*(each.name for each in classes), node.name))


def _expressions(places: Mapping[Place, Observations], first: int) -> Iterator[tuple[Span, Observations]]:
    for place, found in places.items():
        if place.kind == EXPRESSION:
            line, column, end_line, end_column = place.span
            yield (line + first, column, end_line + first, end_column), found
