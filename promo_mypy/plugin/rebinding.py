"""An `assignment` error to a wider variable: `x = x.astype(float16)` for an `x` that nobody annotated.

mypy gives a variable the type of its first value. Two arrays of different dtypes are different types to us, so code
that annotates nothing would get errors from our knowledge alone. Such a variable becomes the union of what it was
bound to, narrowed at each assignment. A variable with an annotation keeps mypy's error.
"""

from collections.abc import Iterator

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
from mypy.traverser import TraverserVisitor
from mypy.typeops import make_simplified_union
from mypy.types import Type, UnionType, get_proper_type

from promo_mypy.plugin import mypy_internals
from promo_mypy.plugin.array_types import library_of

Position = tuple[int, int]
Binding = tuple[NameExpr, Expression | None]


class Bindings(TraverserVisitor):
    """Where mypy would report a failed assignment -> the variable and the value, for the names in one file."""

    def __init__(self) -> None:
        super().__init__()
        self.at: dict[Position, list[Binding]] = {}

    def visit_assignment_stmt(self, o: AssignmentStmt) -> None:
        for lvalue in o.lvalues:
            for name, value in _pairs(lvalue, o.rvalue):
                self.at.setdefault((value.line, value.column), []).append((name, value))
        super().visit_assignment_stmt(o)

    def visit_operator_assignment_stmt(self, o: OperatorAssignmentStmt) -> None:
        # For a class without `__iadd__` mypy assigns an expression of its own making, placed at the statement.
        if isinstance(o.lvalue, NameExpr):
            self.at.setdefault((o.line, o.column), []).append((o.lvalue, None))
        super().visit_operator_assignment_stmt(o)


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
        for name, value in self._bindings(current).get(position, ()):
            if not mypy_internals.can_widen(current, name):
                continue
            new = self._results.get(position) if value is None else mypy_internals.expression_type(current, value)
            old = mypy_internals.variable_type(name)
            if new is None or old is None or is_subtype(new, old) or not (_is_array(old) and _is_array(new)):
                continue
            mypy_internals.widen_variable(current, name, make_simplified_union([old, new]), new)
            return True
        return False

    def _bindings(self, current: TypeChecker) -> dict[Position, list[Binding]]:
        tree = mypy_internals.tree(current)
        if tree is not self._tree:
            visitor = Bindings()
            tree.accept(visitor)
            self._tree, self._positions = tree, visitor.at
        return self._positions


def _is_array(typ: Type) -> bool:
    proper = get_proper_type(typ)
    items = proper.items if isinstance(proper, UnionType) else [proper]
    return all(library_of(item) is not None for item in items)
