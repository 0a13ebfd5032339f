"""Hold an operator with the types of its operands, as mypy asks for its result."""

from collections.abc import Callable, Sequence

from mypy.nodes import Context
from mypy.types import Type

from promo_mypy.rules.operators import Operator
from promo_mypy.rules.records import record


@record
class Operation:
    """`receiver <operator> others`.

    Attributes:
        operator: the operator whose method mypy looks up.
        receiver: the type of the operand that has the method: the right one of a reflected operator.
        others: the types of the other operands; none for a unary operator.
        context: the expression, or the statement of an augmented assignment.
    """

    operator: Operator
    receiver: Type
    others: Sequence[Type]
    context: Context

    @property
    def operands(self) -> tuple[Type, ...]:
        """The types of all operands, receiver first."""
        return (self.receiver, *self.others)

    @property
    def in_order(self) -> tuple[Type, ...]:
        """The types of all operands, as they stand in the source."""
        return (*self.others, self.receiver) if self.operator.kind == "reflected" else self.operands

    def mapped(self, change: Callable[[Type], Type]) -> "Operation":
        """The operation with each operand changed."""
        others = [change(other) for other in self.others]
        return Operation(self.operator, change(self.receiver), others, self.context)
