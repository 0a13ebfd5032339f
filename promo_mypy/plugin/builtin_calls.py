"""Built-ins that end in an operator of an array: `abs(x)`, `divmod(x, y)`, `pow(x, y)`, and `1 == x`."""

from collections.abc import Mapping
from typing import Final

from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import operators
from promo_mypy.plugin.array_types import library_of
from promo_mypy.plugin.mypy_internals import has_stock_operator, stock_operator
from promo_mypy.plugin.session import Session
from promo_mypy.rules.operators import OPERATORS, Operator

#: function -> the operator of its first argument
BUILTINS: Final[Mapping[str, Operator]] = {
    "builtins.abs": OPERATORS["__abs__"],
    "builtins.divmod": OPERATORS["__divmod__"],
    "builtins.pow": OPERATORS["__pow__"],
}


def infer_call(ctx: FunctionContext, operator: Operator, session: Session) -> Type:
    """The result of the call if an argument is an array; what mypy found otherwise."""
    given = [types[0] for types in ctx.arg_types if types]
    expected = 1 if operator.kind == "unary" else 2
    if len(given) != expected or not any(library_of(typ) is not None for typ in given):
        return ctx.default_return_type
    found = operators.infer(operator, given[0], given[1:], ctx.context, session, ctx.api)
    if found is not None:
        return found
    array = get_proper_type(given[0])
    if operator.kind == "unary" and isinstance(array, Instance) and has_stock_operator(array, operator.method):
        # `abs` asks for a protocol, which ndarray's open operator answers with Any.
        stock = stock_operator(ctx.api, array, operator.method, ctx.context, may_reverse=False)
        return stock.items[0].ret_type if stock is not None else ctx.default_return_type
    return ctx.default_return_type


#: `object.__eq__` takes anything and answers with a bool, so mypy never asks the array on the right.
EQUALITY: Final[Mapping[str, Operator]] = {
    f"builtins.{scalar}.{method}": OPERATORS[method]
    for scalar in ("bool", "int", "float", "complex")
    for method in ("__eq__", "__ne__")
}


def infer_equality(ctx: MethodContext, operator: Operator, session: Session) -> Type:
    """The result of comparing a Python scalar with an array: an array of bool."""
    if not ctx.arg_types or not ctx.arg_types[0] or library_of(ctx.arg_types[0][0]) is None:
        return ctx.default_return_type
    return operators.infer_result(ctx, operator, session)
