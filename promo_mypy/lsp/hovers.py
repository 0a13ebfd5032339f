"""Describe the expression beneath the mouse: dtype and system, operands, origin, and the path in the lattice."""

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from mypy.nodes import ComparisonExpr, Expression, OpExpr

from promo_mypy.config import Options
from promo_mypy.linting.labels import leaves_of
from promo_mypy.linting.origin_sentences import origin_of
from promo_mypy.linting.values import FileValues, named
from promo_mypy.lsp.expression_dtypes import ExpressionDtypes
from promo_mypy.lsp.messages import Hover
from promo_mypy.plugin.interface.arrays import read, system_name
from promo_mypy.plugin.interface.trees import operands_of
from promo_mypy.program.expressions import How
from promo_mypy.program.syntax.written import place_of
from promo_mypy.rules.findings import Span
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operations import BINARY
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.reasons import SYMBOLS

#: How a dtype is known that mypy does not infer -> what is said about it.
_WORDS: Final[Mapping[How, str]] = {
    How.FOLLOWED: "mypy has no type here: the dtype follows from other expressions of this file.",
    How.OBSERVED: "Recorded in runs of the program.",
}
_OPERATIONS: Final = {symbol: operation for operation, symbol in SYMBOLS.items() if operation in BINARY}


def hover_at(values: FileValues, options: Options, line: int, column: int) -> Hover | None:
    """Describe the smallest array expression at a place; None if there is no expression."""
    if values.text.tree is None:
        return None
    dtypes = ExpressionDtypes(values)
    for expression, span in _around(values, line, column):
        found = dtypes.of(expression)
        if found:
            node = dtypes.nodes(expression)[0]
            return Hover(span, "\n\n".join(_paragraphs(node, values, options, named(found))))
        unknown = _unknown(expression, values)
        if unknown:
            return Hover(span, unknown)
    return None


def _unknown(expression: ast.expr, values: FileValues) -> str:
    """Why the dtype of an array is unknown; empty for any other value."""
    model = values.model
    known = model.known(expression) if model is not None else None
    if model is None or known is None or known.in_turns or not model.candidates.counts(expression):
        return ""
    match model.how(known):
        case How.DECIDED:
            return "**decided by each call**: the dtype follows from those of parameters"
        case How.UNKNOWN:
            return f"**unknown dtype**: {model.cause(known).text}"
    return ""


def _around(values: FileValues, line: int, column: int) -> list[tuple[ast.expr, Span]]:
    """The expressions around a place, the innermost first."""
    expressions = (node for node in values.text.file.checked_once if isinstance(node, ast.expr))
    spans = ((node, values.text.span(place_of(node))) for node in expressions)
    found = [(node, span) for node, span in spans if _holds(span, line, column)]
    return found[::-1]  # expressions around one place are inside each other


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) < (span.end_line, span.end_column)


def _paragraphs(node: Expression, values: FileValues, options: Options, dtype: str) -> Iterator[str]:
    system = _system(node, values, options)
    yield f"**{dtype}**" + (f" under {system} promotion" if system is not None else "")
    known = values.known(node)
    if known is not None and known.how in _WORDS:
        yield _WORDS[known.how]
    operands = [each for each in operands_of(node) or leaves_of(node, values) if each is not node]
    rows = [f"- `{values.written(each)}` is {text}" for each in operands if (text := values.dtype_text(each))]
    if rows:
        yield "\n".join(rows)
    origin = origin_of(node, values)
    if origin:
        yield "\n".join(f"{number}. {step}" for number, step in enumerate(origin, start=1))
    if system is not None:
        yield from _lattice(node, values, system)


def _lattice(node: Expression, values: FileValues, system: str) -> Iterator[str]:
    """The path of each operand to the result, and the reason."""
    # This loads what only commands and such hovers need.
    from promo_mypy.rules.wording.explanations import explain

    operands = [operand for each in operands_of(node) if (operand := _operand(each, values)) is not None]
    operation = _OPERATIONS.get(_symbol(node))
    if len(operands) != 2 or operation is None or len({each.dtype for each in operands}) < 2:
        return
    explanation = explain(get_system(system), (operands[0], operands[1]), operation)
    paths = [
        (f"{way.operand} = " if way.counts_as else "") + " → ".join(way.path) for way in explanation.ways if way.path
    ]
    if explanation.result is not None and paths:
        yield "Path in the lattice:\n\n" + "\n".join(f"- {path}" for path in paths)
        yield f"{explanation.why[0].upper()}{explanation.why[1:]}."


def _symbol(node: Expression) -> str:
    if isinstance(node, OpExpr):
        return node.op
    return node.operators[0] if isinstance(node, ComparisonExpr) and len(node.operators) == 1 else ""


def _operand(node: Expression, values: FileValues) -> Operand | None:
    """The operand that an expression stands for, if it can only be one."""
    typ = values.types.get(node)
    found = read(typ, values.platform) if typ is not None else None
    operands = {Operand(dtype, value.form) for value in found or () for dtype in value.dtypes}
    return operands.pop() if len(operands) == 1 else None


def _system(node: Expression, values: FileValues, options: Options) -> str | None:
    arrays = values.arrays(node)
    libraries = arrays.libraries if arrays is not None else frozenset()
    return system_name(options, next(iter(libraries))) if len(libraries) == 1 else None
