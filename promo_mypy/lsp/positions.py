"""Turn places between the protocol's counting and ours: lines and columns from 1, columns in characters."""

from collections.abc import Sequence
from dataclasses import dataclass

from lsprotocol import types
from pygls.workspace import PositionCodec

from promo_mypy.lsp.cells import Part
from promo_mypy.rules.findings import Span


@dataclass(frozen=True, slots=True)
class Positions:
    """The positions in a document of the editor, which may be a part of what is checked."""

    lines: Sequence[str]
    part: Part
    codec: PositionCodec

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def position(self, line: int, column: int) -> types.Position:
        """The position of a line and column; the end of the line if that is shorter."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return types.Position(line - 1 - self.part.above, self.codec.client_num_units(text[: column - 1]))

    def place(self, position: types.Position) -> tuple[int, int]:
        """The line and column of a position."""
        line = position.line + self.part.above
        text = self.lines[line] if line < len(self.lines) else ""
        column = next(
            (end for end in range(len(text)) if self.codec.client_num_units(text[: end + 1]) > position.character),
            len(text),
        )
        return line + 1, column + 1

    def text(self, span: Span) -> str:
        """The text of a span."""
        lines = list(self.lines[span.line - 1 : span.end_line])
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)
