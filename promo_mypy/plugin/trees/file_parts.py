"""The parts of a file that mypy can check alone: each function that is in no other one, and the top of the file."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from mypy.nodes import Decorator, FuncDef, MypyFile, Node, OverloadedFuncDef, TypeInfo

from promo_mypy.plugin.trees.syntax_trees import (
    Statements,
    checked_statements,
    expressions_in,
    nodes,
    placed_statements,
)
from promo_mypy.rules.records import record

Function = FuncDef | Decorator | OverloadedFuncDef


@record
class Part:
    """A function or the top of a file.

    Attributes:
        node: the function, with its decorators or overloads; the file for its top.
        info: the class whose method it is; None for another function, and for the top.
        first: the first line; 0 for the top.
        last: the last line.
    """

    node: Function | MypyFile
    info: TypeInfo | None
    first: int
    last: int

    @property
    def is_top(self) -> bool:
        """Whether it is the top of a file."""
        return isinstance(self.node, MypyFile)

    def nodes(self) -> Iterator[Node]:
        """Every node in it. Those of functions are not in the top."""
        if not isinstance(self.node, MypyFile):
            yield from nodes(self.node)
            return
        for statement, function, _ in placed_statements(self.node.defs):
            if function is None and not isinstance(statement, FuncDef):
                yield statement
                for each in expressions_in(statement):
                    yield from nodes(each) if not isinstance(each, FuncDef) else ()


def part_at(file: MypyFile, line: int) -> Part:
    """The part of a file that contains a line."""
    return next((part for part in _functions(checked_statements(file)) if part.first <= line <= part.last), top(file))


def top(file: MypyFile) -> Part:
    """The top of a file."""
    return Part(file, None, 0, 0)


def parts(file: MypyFile) -> Sequence[Part]:
    """All parts of a file."""
    return [top(file), *_functions(checked_statements(file))]


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _functions(file: Statements) -> Sequence[Part]:
    found: list[Part] = []
    for node, function, classes in placed_statements(file.statements):
        is_inside = found and found[-1].first <= node.line <= found[-1].last and not classes_differ(found[-1], classes)
        if function is None and isinstance(node, Function) and not is_inside:
            first, last = _lines(node)
            found.append(Part(node, classes[-1].info if classes else None, first, last))
    return found


def classes_differ(part: Part, classes: Sequence[object]) -> bool:
    """Whether a part is not of the innermost of these classes."""
    info = getattr(classes[-1], "info", None) if classes else None
    return part.info is not info


def _lines(function: Function) -> tuple[int, int]:
    """The first and the last line of a function with its decorators, or of all its overloads."""
    every = list(_written(function))
    return min(each.line for each in every if each.line > 0), max(each.end_line or each.line for each in every)


def _written(function: Function) -> Iterator[Node]:
    yield function
    if isinstance(function, Decorator):
        yield from function.original_decorators
        yield function.func
    elif isinstance(function, OverloadedFuncDef):
        for each in (*function.items, function.impl):
            if isinstance(each, Function):
                yield from _written(each)
