"""An `assignment` error to a wider variable: `x = x.astype(float16)` for an `x` that nobody annotated.

mypy gives a variable the type of its first value. Two arrays of different dtypes are different types to us, so code
that annotates nothing would get errors from our knowledge alone. Such a variable becomes the union of what it was
bound to, narrowed at each assignment. A variable with an annotation keeps mypy's error.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import (
    AssignmentStmt,
    Expression,
    Lvalue,
    MypyFile,
    NameExpr,
    OperatorAssignmentStmt,
    TupleExpr,
)
from mypy.subtypes import is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import Type, UnionType, get_proper_type

from promo_mypy.plugin import mypy_internals
from promo_mypy.plugin.array_types import library_of

Position = tuple[int, int]


class Binding(NamedTuple):
    """A name that a statement binds, its value (None: an expression of mypy's own), and whether others are bound too."""

    name: NameExpr
    value: Expression | None
    in_tuple: bool


def _bindings_of(tree: MypyFile) -> dict[Position, list[Binding]]:
    """Where mypy would report a failed assignment -> the variable and the value, for the names in one file."""
    found: dict[Position, list[Binding]] = {}
    for statement in _statements(tree.defs):
        if isinstance(statement, AssignmentStmt):
            for lvalue in statement.lvalues:
                for name, value in _pairs(lvalue, statement.rvalue):
                    binding = Binding(name, value, lvalue is not name)
                    found.setdefault((value.line, value.column), []).append(binding)
        elif isinstance(statement, OperatorAssignmentStmt) and isinstance(statement.lvalue, NameExpr):
            # For a class without `__iadd__` mypy assigns an expression of its own making, placed at the statement.
            found.setdefault((statement.line, statement.column), []).append(
                Binding(statement.lvalue, None, False)
            )
    return found


# Where statements of any kind keep the statements inside them.
_PARTS: Final = ("body", "defs", "else_body", "finally_body", "handlers", "bodies", "func", "items", "impl")


def _statements(nodes: Iterable[object]) -> Iterator[object]:
    for node in nodes:
        yield node
        for part in _PARTS:
            inner = getattr(node, part, None)
            if inner is not None:
                yield from _statements(inner if isinstance(inner, list) else [inner])


def _pairs(lvalue: Lvalue, rvalue: Expression) -> Iterator[tuple[NameExpr, Expression]]:
    if isinstance(lvalue, NameExpr):
        yield lvalue, rvalue
    elif isinstance(lvalue, TupleExpr) and isinstance(rvalue, TupleExpr) and len(lvalue.items) == len(rvalue.items):
        for item, value in zip(lvalue.items, rvalue.items, strict=True):
            yield from _pairs(item, value)


class Rebinding:
    """Widens variables in the file being checked; keeps the positions of the last file it had to look into."""

    def __init__(self) -> None:
        self._tree: MypyFile | None = None
        self._positions: dict[Position, list[Binding]] = {}
        self._results: dict[Position, Type] = {}

    def remember(self, line: int, column: int, result: Type) -> None:
        """Keep the result of an operator, for augmented assignments whose expression is mypy's own."""
        self._results = {(line, column): result}

    def widen(self, current: TypeChecker, info: ErrorInfo) -> bool:
        """Widen the variable that the error is about; False if it is not an unannotated array variable."""
        position = (info.line, info.column)
        for name, value, in_tuple in self._bindings(current).get(position, ()):
            if not mypy_internals.can_widen(current, name):
                continue
            new = self._results.get(position) if value is None else mypy_internals.expression_type(current, value)
            old = mypy_internals.variable_type(name)
            if new is None or old is None or is_subtype(new, old) or not (_is_array(old) and _is_array(new)):
                continue
            wide = make_simplified_union([old, new])
            # mypy looks at the second value of `x, y = y, x` after it has bound x: x may be either, then.
            mypy_internals.widen_variable(current, name, wide, wide if in_tuple else new)
            return True
        return False

    def _bindings(self, current: TypeChecker) -> dict[Position, list[Binding]]:
        tree = mypy_internals.tree(current)
        if tree is not self._tree:
            self._tree, self._positions = tree, _bindings_of(tree)
        return self._positions


def _is_array(typ: Type) -> bool:
    proper = get_proper_type(typ)
    items = proper.items if isinstance(proper, UnionType) else [proper]
    return all(library_of(item) is not None for item in items)
