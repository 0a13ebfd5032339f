"""Find the operand that gives an operation another dtype than the declared one: a cast there keeps the rest narrow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mypy.nodes import Expression, NameExpr, OperatorAssignmentStmt, OpExpr, UnaryExpr, Var

from promo_mypy.linting.values import FileValues, Operation
from promo_mypy.plugin.interface.arrays import read
from promo_mypy.plugin.interface.trees import Way, is_unannotated
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operators import OPERATORS
from promo_mypy.rules.promotion import PromotionSystem

#: The symbol of an operator with two operands -> its operation.
_OPERATIONS: Final = {row.symbol: row.operation for row in OPERATORS.values() if row.kind == "binary"}
#: The most variables and operations inside each other that are looked through.
_DEEPEST: Final = 8


@dataclass(frozen=True, slots=True)
class Widened:
    """Looks for the operand in one file, for the declared dtype that is wanted."""

    values: FileValues
    system: PromotionSystem
    wanted: type[dt.Shaped]

    def operand(self, node: Operation) -> Expression | None:
        """The innermost operand with which, once cast, a value has the wanted dtype; None unless it is one alone.

        Another operand has that dtype: without one nothing is widened, and a cast of the result is more precise.
        """
        if isinstance(node, OperatorAssignmentStmt):
            found, is_widened = self._search_sides(node.op, (node.lvalue, node.rvalue), _DEEPEST)
            return found if is_widened and found is not node.lvalue else None
        found, is_widened = self._search(node, _DEEPEST)
        return found if is_widened else None

    def _search(self, node: Expression, depth: int) -> tuple[Expression | None, bool]:
        """The operand, and whether one beside it has the wanted dtype."""
        match node:
            case _ if depth == 0:
                return None, False
            case OpExpr(op=op, left=left, right=right) if op in _OPERATIONS:
                return self._search_sides(op, (left, right), depth)
            case UnaryExpr(op="-" | "+", expr=inner):
                return self._search(inner, depth - 1)
            case NameExpr(node=Var() as variable):
                value = self._only_value(variable)
                return self._search(value, depth - 1) if value is not None else (None, False)
            case _:
                return None, False

    def _search_sides(
        self, op: str, sides: tuple[Expression, Expression], depth: int
    ) -> tuple[Expression | None, bool]:
        """The same for the two operands of an operator."""
        other = self._only_other(_OPERATIONS[op], sides)
        if other is None:
            return None, False
        found, is_widened = self._search(other, depth - 1)
        beside = sides[1] if other is sides[0] else sides[0]
        return found or other, is_widened or bool(self.values.dtypes(beside))

    def _only_other(self, operation: str, sides: Sequence[Expression]) -> Expression | None:
        """The only operand of another dtype, if the operation gives the wanted one after its cast."""
        others = [side for side in sides if any(dtype.strong is not self.wanted for dtype in self.values.dtypes(side))]
        operands = [self._cast(side) for side in sides]
        known = tuple(operand for operand in operands if operand is not None)
        if len(others) != 1 or len(known) < len(sides) or self.system.resolve(operation, *known) is not self.wanted:
            return None
        return others[0]

    def _cast(self, side: Expression) -> Operand | None:
        """An operand after its cast; a number of Python has none."""
        typ = self.values.types.get(side)
        found = read(typ, self.values.platform) if typ is not None else None
        if not found or len({value.form for value in found}) > 1:
            return None
        dtypes = frozenset().union(*(value.dtypes for value in found))
        numbers = [each for each in dtypes if issubclass(each, dt.PythonScalar)]
        if numbers and len(dtypes) > 1:
            return None
        return Operand(numbers[0] if numbers else self.wanted, found[0].form)

    def _only_value(self, variable: Var) -> Expression | None:
        """What a local variable is set to, if that is once, and it is used once: nothing else sees the cast."""
        found = self.values.tree.definitions.of_variable(variable)
        if len(found) != 1 or found[0].way is not Way.VALUE or "." in variable.fullname or not is_unannotated(variable):
            return None
        names = [node for nodes in self.values.tree.nodes.values() for node in nodes if isinstance(node, NameExpr)]
        uses = sum(node.node is variable for node in names)
        return found[0].value if uses == 2 else None  # where it is set, and where it is used
