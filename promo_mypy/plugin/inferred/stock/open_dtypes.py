"""Find out for which expressions stock mypy infers an array class of unknown dtype."""

from collections.abc import Sequence, Set
from typing import Protocol

from mypy.nodes import (
    CallExpr,
    Expression,
    GeneratorExpr,
    IndexExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Type

from promo_mypy.plugin.inferred.stock.widths import has_no_width
from promo_mypy.plugin.mypy_api.arguments import names_numpy_dtype
from promo_mypy.rules.functions.numpy.forms import KEEPING_METHODS


class Stock(Protocol):
    """What stock mypy infers for the expressions of a file."""

    @property
    def open(self) -> Set[Node]:
        """Calls for which it infers an array class of unknown dtype."""

    def type_of(self, expression: Expression, /) -> Type | None:
        """mypy's type of an expression with the plugin."""

    def values_for_dtype(self, variable: Var, /) -> Sequence[Expression]:
        """The values of a variable that were not looked at."""

    def bind(self, comprehension: GeneratorExpr, /) -> None:
        """Note what the variables of a comprehension iterate over."""


def has_unknown_dtype(value: Expression, stock: Stock) -> bool:
    """Whether stock mypy may infer an array class of unknown dtype. Of a comprehension the items count."""
    match value:
        case NameExpr(node=Var() as variable):
            return any(has_unknown_dtype(each, stock) for each in stock.values_for_dtype(variable))
        case OpExpr(left=left, right=right):
            is_either = has_unknown_dtype(left, stock) or has_unknown_dtype(right, stock)
            return is_either or has_no_width(value, stock.type_of)
        case UnaryExpr(expr=operand) | IndexExpr(base=operand) | MemberExpr(expr=operand):
            return has_unknown_dtype(operand, stock)
        case CallExpr() if names_numpy_dtype(value):
            return False
        case CallExpr(callee=MemberExpr(expr=owner, name=name)) if name in KEEPING_METHODS:
            return has_unknown_dtype(owner, stock)
        case ListComprehension(generator=made):
            stock.bind(made)
            return has_unknown_dtype(made.left_expr, stock)
        case _:
            return value in stock.open
