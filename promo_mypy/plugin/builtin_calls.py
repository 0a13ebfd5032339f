"""Built-in functions that are operators in disguise (`abs(x)`, `divmod(x, y)`, `pow(x, y)`) to their results."""

from collections.abc import Mapping
from typing import Final

from mypy.plugin import FunctionContext
from mypy.types import Type

from promo_mypy.plugin import operators
from promo_mypy.plugin.array_types import library_of
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
    return ctx.default_return_type if found is None else found
