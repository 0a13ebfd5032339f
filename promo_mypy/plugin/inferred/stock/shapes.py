"""Find out for which arrays stock mypy infers no shape, so that their items, and lengths of their axes, are Any."""

from typing import Final, Protocol

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Type

from promo_mypy.plugin.inferred.stock.widths import KEEPING_SYMBOLS
from promo_mypy.plugin.mypy_api.symbols import attribute_of
from promo_mypy.plugin.types.numpy_scalars import holds_ints_or_bools, is_bool_array, scalar_of_array

#: Methods of an array whose result has its shape.
_KEEPING: Final = frozenset({"astype", "copy"})


class Stock(Protocol):
    """What stock mypy infers for the expressions of a file."""

    def type_of(self, expression: Expression, /) -> Type | None:
        """mypy's type of an expression with the plugin."""

    def has_any_shape(self, variable: Var, /) -> bool:
        """Whether a variable of another module, or an attribute, is an array without a shape."""

    def first_value(self, variable: Var, /) -> Expression | None:
        """The first value of a variable, from which mypy infers its type."""

    def is_unknown(self, value: Expression, /) -> bool:
        """Whether an argument is Any or has no dtype."""


def may_have_any_shape(array: Expression, stock: Stock) -> bool:
    """Whether several of NumPy's overloads fit the arguments for stock mypy, or the stubs declare no shape."""
    match array:
        case NameExpr(node=Var() as variable):
            first = stock.first_value(variable)
            return stock.has_any_shape(variable) if first is None else may_have_any_shape(first, stock)
        case CallExpr(callee=RefExpr(fullname="builtins.divmod"), args=[left, right]):
            return _loses_shape("//", left, right, stock)
        case CallExpr(callee=MemberExpr(expr=owner, name=name)) if name in _KEEPING and _is_array(owner, stock):
            return may_have_any_shape(owner, stock)
        case CallExpr(callee=RefExpr(fullname=name, node=function), args=values) if name.startswith("numpy."):
            return not isinstance(function, FuncDef) and any(map(stock.is_unknown, values))
        case OpExpr(op=operator, left=left, right=right):
            return _loses_shape(operator, left, right, stock)
        case ComparisonExpr(operands=operands):
            return any(_is_array(each, stock) for each in operands)
        case ConditionalExpr(if_expr=one, else_expr=other):
            return may_have_any_shape(one, stock) or may_have_any_shape(other, stock)
        case UnaryExpr(expr=operand):
            return may_have_any_shape(operand, stock)
        case IndexExpr(base=operand):  # the stubs declare the shapes in a tuple, as `np.nonzero(x)` returns one
            return _is_array(operand, stock) and may_have_any_shape(operand, stock)
        case MemberExpr(expr=owner):
            return may_have_any_shape(owner, stock) or _is_noted(array, stock)
        case _:
            return False


def _is_array(value: Expression, stock: Stock) -> bool:
    return scalar_of_array(stock.type_of(value)) is not None


def _is_noted(member: MemberExpr, stock: Stock) -> bool:
    """Whether this is an attribute that is such an array."""
    attribute = member.node or attribute_of(stock.type_of(member.expr), member.name)
    return isinstance(attribute, Var) and stock.has_any_shape(attribute)


def _loses_shape(operator: str, left: Expression, right: Expression, stock: Stock) -> bool:
    """Whether the stubs declare an operator without a shape. They keep that of an array of numbers with an int."""
    pairs = [(one, other) for one, other in ((left, right), (right, left)) if _is_array(one, stock)]
    kept = [array for array, other in pairs if operator in KEEPING_SYMBOLS and _keeps_shape(array, other, stock)]
    return bool(pairs) and all(may_have_any_shape(each, stock) for each in kept)


def _keeps_shape(array: Expression, other: Expression, stock: Stock) -> bool:
    kept, typ = stock.type_of(array), stock.type_of(other)
    if kept is None or typ is None or scalar_of_array(typ) is not None:
        return False
    return holds_ints_or_bools(typ) and not is_bool_array(kept)
