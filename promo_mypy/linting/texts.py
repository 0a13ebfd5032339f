"""The text of a checked file: where its expressions are, in characters, and how they read."""

import ast
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from promo_mypy.inference.expressions import Place
from promo_mypy.inference.syntax import Source, bare_place_of, place_of
from promo_mypy.linting.findings import Span

#: A longer expression is shortened in a sentence.
_LONGEST: Final = 48


class FileText:
    """A file, its lines, and Python's tree of it if the running Python can parse it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines: Final = _lines_of(source.content)

    @property
    def tree(self) -> ast.Module | None:
        """Python's tree; None if the running Python cannot parse the file."""
        return self._source.tree

    def line(self, number: int) -> str:
        """A line without its end; empty for a line that is not there."""
        return self._lines[number - 1].decode("utf-8", "replace") if 0 < number <= len(self._lines) else ""

    def whole(self, place: Place) -> Place:
        """A place that mypy's native parser gives, with the parentheses around its first and last operand."""
        return self._whole.get(place, place)

    def span(self, place: Place) -> Span:
        """A place in characters. A place that is wrong, or of which mypy knows only the line, covers what there is."""
        column = self._character(place.line, max(place.column, 0))
        end_line = max(place.line, place.end_line)
        end_column = self._character(end_line, max(place.end_column, 0))
        if end_line == place.line and end_column <= column:
            end_column = column + 1
        return Span(place.line, column + 1, end_line, end_column + 1)

    def written(self, place: Place) -> str:
        """The expression at a place, on one line and not too long."""
        text = " ".join(self.source(place).split())
        if len(text) <= _LONGEST:
            return text
        head = text.partition("(")[0]
        return (
            f"{head}(...)" if len(head) < _LONGEST and head.replace(".", "").isidentifier() else f"{text[:_LONGEST]}..."
        )

    def source(self, place: Place) -> str:
        """The text of a place."""
        place = self.whole(place)
        lines = self._lines[place.line - 1 : place.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: place.end_column]
        lines[0] = lines[0][place.column :]
        return b"\n".join(lines).decode("utf-8", "replace")

    def _character(self, line: int, column: int) -> int:
        if not 0 < line <= len(self._lines):
            return column
        return len(self._lines[line - 1][:column].decode("utf-8", "replace"))

    @cached_property
    def _whole(self) -> dict[Place, Place]:
        return {bare: whole for bare, whole in self._places() if bare != whole}

    def _places(self) -> Iterator[tuple[Place, Place]]:
        if self.tree is not None:
            for node in ast.walk(self.tree):
                if isinstance(node, ast.BinOp):
                    yield bare_place_of(node), place_of(node)


def read_text(path: Path) -> FileText:
    """The text of a file."""
    return FileText(Source.read(str(path)))


def _lines_of(content: bytes) -> list[bytes]:
    # As Python counts lines: `bytes.splitlines` takes a form feed for no line end, unlike `str.splitlines`.
    return content.removeprefix(b"\xef\xbb\xbf").splitlines()
