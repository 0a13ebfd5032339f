"""Find the expressions in Python's tree of a module that may be arrays."""

import ast
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from promo_mypy.program.expressions import Place
from promo_mypy.program.syntax.scopes import Scopes

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


@dataclass(frozen=True)
class Source:
    """A file and Python's tree of it, or the reason in one line why the running Python cannot parse it."""

    path: str
    content: bytes
    tree: ast.Module | None
    fault: str = ""

    @classmethod
    def read(cls, path: str) -> "Source":
        """Read a file. An unreadable file counts as empty: mypy reports the reason."""
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            return cls(path, b"", None, str(error))
        return cls.of(path, content)

    @classmethod
    def of(cls, path: str, content: bytes) -> "Source":
        """Parse the content of a file."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # from the parsed code, such as invalid escapes
                return cls(path, content, ast.parse(content, path))
        except (SyntaxError, ValueError) as error:
            return cls(path, content, None, _fault(error))

    @cached_property
    def scopes(self) -> Scopes:
        """The scopes and bindings of a file that the running Python can parse."""
        assert self.tree is not None
        return Scopes(self.tree)

    @cached_property
    def expressions(self) -> "tuple[Written, ...]":
        """The expressions whose value may be an array, by place. Targets of assignments are excluded."""
        return tuple(sorted(self._written(), key=lambda each: each.place)) if self.tree is not None else ()

    def _written(self) -> "Iterator[Written]":
        scopes = self.scopes
        for node in scopes.nodes:
            is_read = isinstance(getattr(node, "ctx", None), ast.Load | None) and id(node) not in scopes.unplaced
            if is_read and isinstance(node, KINDS):
                yield Written(node, place_of(node), id(node) in scopes.in_turns)

    @property
    def checked_once(self) -> Iterator[ast.AST]:
        """Its nodes, outer ones first, but those that mypy checks in turns: these may have another dtype each time."""
        left_out = self.scopes.in_turns | self.scopes.unplaced
        return (node for node in self.scopes.nodes if id(node) not in left_out)

    @property
    def has_wide_places(self) -> bool:
        """Whether an expression begins or ends in a line with characters outside ASCII."""
        if self.tree is None or self.content.isascii():
            return False
        lines = self.content.splitlines()
        wide = {number for number, line in enumerate(lines, start=1) if not line.isascii()}
        return any(not wide.isdisjoint((each.place.line, each.place.end_line)) for each in self.expressions)


def _fault(error: SyntaxError | ValueError) -> str:
    running = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    reason = f"{error.msg}, line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else str(error)
    return f"{running} cannot parse it: {reason}; a newer Python may"


@dataclass(frozen=True, slots=True)
class Written:
    """An expression in the source text.

    `in_turns`: whether it is in the body of a `finally` or in a lambda, which mypy checks once for each context.
    """

    syntax: ast.expr
    place: Place
    in_turns: bool


def bare_place_of(node: ast.expr) -> Place:
    """Its place in mypy's native parser, without the parentheses around the first and last operand of an operation."""
    first = last = node
    while isinstance(first, ast.BinOp):
        first = first.left
    while isinstance(last, ast.BinOp):
        last = last.right
    start, end = place_of(first), place_of(last)
    return Place(start.line, start.column, end.end_line, end.end_column)


def place_of(node: ast.expr) -> Place:
    """The place of an expression."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return Place(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
