"""The text of a checked file: where its expressions are, in characters, and how they read."""

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Final

from promo_mypy.program.expressions import Place
from promo_mypy.program.syntax.written import Source, bare_place_of, place_of
from promo_mypy.rules.findings import Span

#: The most characters of an expression in a sentence; a longer one is shortened.
_LONGEST: Final = 48


class FileText:
    """A file, its lines, and Python's tree of it if the running Python can parse it.

    `named` gives a line in words, if that is another one for the user, as in a notebook.
    """

    def __init__(self, source: Source, named: Callable[[int], str] | None = None) -> None:
        self.line_name: Final = named or "line {}".format
        self.file = source
        self._lines: Final = _lines_of(source.content)
        self._whole: Final[dict[int, Mapping[Place, Place]]] = {}

    @property
    def tree(self) -> ast.Module | None:
        """Python's tree; None if the running Python cannot parse the file."""
        return self.file.tree

    @cached_property
    def imports(self) -> Mapping[str, str]:
        """Module or what comes from it -> the name under which the file imports it at its top: numpy -> np."""
        found: dict[str, str] = {}
        for node in self.tree.body if self.tree is not None else self._imports_alone():
            if isinstance(node, ast.Import):
                for alias in node.names:
                    found.setdefault(alias.name, alias.asname or alias.name)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    found.setdefault(f"{node.module}.{alias.name}", alias.asname or alias.name)
        return found

    def _imports_alone(self) -> Iterator[ast.stmt]:
        """The imports of a file whose other syntax the running Python does not know."""
        for number, line in enumerate(self._lines):
            if line.startswith((b"import ", b"from ")):
                closed = (
                    0
                    if b"(" not in line
                    else next((n for n, each in enumerate(self._lines[number:]) if b")" in each), 0)
                )
                with suppress(SyntaxError, ValueError):
                    yield from ast.parse(b"\n".join(self._lines[number : number + closed + 1])).body

    @property
    def whole_text(self) -> str:
        """All lines, with one kind of line end."""
        return b"\n".join(self._lines).decode("utf-8", "replace")

    def declares_result(self, function: str, line: int) -> bool:
        """Whether a function of that name begins in a line, and says what it returns."""
        return (function, line) in self._with_results

    @cached_property
    def _with_results(self) -> frozenset[tuple[str, int]]:
        nodes = ast.walk(self.tree) if self.tree is not None else ()
        functions = (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        return frozenset((node.name, node.lineno) for node in functions if node.returns is not None)

    def line(self, number: int) -> str:
        """A line without its end; empty for a line that is not there."""
        return self._lines[number - 1].decode("utf-8", "replace") if 0 < number <= len(self._lines) else ""

    def whole(self, place: Place) -> Place:
        """A place that mypy's native parser gives, with the parentheses around its first and last operand."""
        return self._whole_around(place.line).get(place, place)

    def span(self, place: Place) -> Span:
        """A place in characters: at least one, even if the place is wrong or mypy knows only its line."""
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

    def _whole_around(self, line: int) -> Mapping[Place, Place]:
        """The operations in the statement at the top of the file around a line: bare place -> whole place."""
        index = bisect_right(self._starts, line) - 1
        if index < 0 or self.tree is None:
            return {}
        if index not in self._whole:
            first = bisect_left(self._starts, self._starts[index])  # several statements may share a line
            found = (node for statement in self.tree.body[first : index + 1] for node in ast.walk(statement))
            operations = (node for node in found if isinstance(node, ast.BinOp))
            places = ((bare_place_of(node), place_of(node)) for node in operations)
            self._whole[index] = {bare: whole for bare, whole in places if bare != whole}
        return self._whole[index]

    @cached_property
    def _starts(self) -> list[int]:
        """The first lines of the statements at the top of the file."""
        return [_first_line(statement) for statement in self.tree.body] if self.tree is not None else []


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(each.lineno for each in decorators)])


def _lines_of(content: bytes) -> list[bytes]:
    # As Python counts lines: `bytes.splitlines` takes a form feed for no line end, unlike `str.splitlines`.
    return content.removeprefix(b"\xef\xbb\xbf").splitlines()
