"""Turn places between the protocol's counting and ours: lines and columns from 1, columns in characters."""

from collections.abc import Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec

from promo_mypy.rules.findings import Span


def range_of(span: Span, lines: Sequence[str], codec: PositionCodec) -> types.Range:
    """The range of a span."""
    return types.Range(
        position_of(span.line, span.column, lines, codec), position_of(span.end_line, span.end_column, lines, codec)
    )


def moved_up(found: types.Range, lines: int) -> types.Range:
    """A range some lines further up: in a cell, from one in its module."""
    start, end = found.start, found.end
    return types.Range(
        types.Position(start.line - lines, start.character), types.Position(end.line - lines, end.character)
    )


def position_of(line: int, column: int, lines: Sequence[str], codec: PositionCodec) -> types.Position:
    """The position of a line and column; the end of the line if that is shorter."""
    text = lines[line - 1] if line <= len(lines) else ""
    return types.Position(line - 1, codec.client_num_units(text[: column - 1]))


def place_of(position: types.Position, lines: Sequence[str], codec: PositionCodec) -> tuple[int, int]:
    """The line and column of a position."""
    text = lines[position.line] if position.line < len(lines) else ""
    column = next(
        (index for index in range(len(text)) if codec.client_num_units(text[: index + 1]) > position.character),
        len(text),
    )
    return position.line + 1, column + 1
