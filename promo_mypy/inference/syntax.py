"""Python's tree of a module to the expressions in it that have a value."""

import ast
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from promo_mypy.inference.expressions import Place

#: The expressions whose value may be an array. Displays, comprehensions and constants never are.
KINDS: Final = (
    ast.Name,
    ast.Attribute,
    ast.Call,
    ast.Subscript,
    ast.BinOp,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Compare,
    ast.IfExp,
    ast.NamedExpr,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
)

# Before Python 3.12 `ast` often places what stands in an f-string wrongly.
_KNOWS_F_STRINGS: Final = sys.version_info >= (3, 12)


@dataclass(frozen=True, slots=True)
class Source:
    """A file and Python's tree of it.

    Attributes:
        path: the file, as mypy names it.
        content: what is in it.
        tree: None if the running Python cannot parse it.
        fault: why not, in one line.
    """

    path: str
    content: bytes
    tree: ast.Module | None
    fault: str = ""

    @classmethod
    def read(cls, path: str) -> "Source":
        """Read a file; one that cannot be read is empty, as mypy is to say why."""
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            return cls(path, b"", None, str(error))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the code that is read, such as invalid escapes
                return cls(path, content, ast.parse(content, path))
        except (SyntaxError, ValueError) as error:
            return cls(path, content, None, _fault(error))

    @property
    def has_wide_places(self) -> bool:
        """Whether an expression begins or ends in a line with characters outside ASCII."""
        if self.tree is None or self.content.isascii():
            return False
        lines = self.content.splitlines()
        wide = {number for number, line in enumerate(lines, start=1) if not line.isascii()}
        return any(not wide.isdisjoint((each.place.line, each.place.end_line)) for each in written(self.tree))


def _fault(error: SyntaxError | ValueError) -> str:
    running = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    told = f"{error.msg}, line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else str(error)
    return f"{running} cannot parse it: {told}; a newer Python may"


@dataclass(frozen=True, slots=True)
class Written:
    """An expression in the source.

    Attributes:
        syntax: its node.
        place: where it stands.
        in_turns: whether it stands in the body of a `finally` or in a lambda, which mypy checks once for each
            situation that it may be in.
    """

    syntax: ast.expr
    place: Place
    in_turns: bool


def written(tree: ast.Module) -> Iterator[Written]:
    """The expressions that are evaluated to a value that may be an array, in no order: no targets of assignments."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_turns = waiting.pop()
        for name, value in ast.iter_fields(node):
            inside = in_turns or name == "finalbody" or isinstance(node, ast.Lambda)
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or (isinstance(child, ast.JoinedStr) and not _KNOWS_F_STRINGS):
                    continue
                if isinstance(child, KINDS) and isinstance(getattr(child, "ctx", None), ast.Load | None):
                    yield Written(child, place_of(child), inside)
                waiting.append((child, inside))


def bare_place_of(node: ast.expr) -> Place:
    """Where mypy's native parser has it: an operation without the parentheses around its first and last operand."""
    first = last = node
    while isinstance(first, ast.BinOp):
        first = first.left
    while isinstance(last, ast.BinOp):
        last = last.right
    start, end = place_of(first), place_of(last)
    return Place(start.line, start.column, end.end_line, end.end_column)


def place_of(node: ast.expr) -> Place:
    """Where an expression stands."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return Place(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
