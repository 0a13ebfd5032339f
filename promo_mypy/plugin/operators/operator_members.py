"""Give an array's operator its type when mypy looks it up, which is before any hook that infers a result."""

from typing import Final

from mypy.nodes import ComparisonExpr, OperatorAssignmentStmt, OpExpr
from mypy.plugin import AttributeContext
from mypy.types import Instance, Type, TypeVarType, UnionType, get_proper_type, get_proper_types

from promo_mypy.plugin.mypy_api.checker.type_checker import has_stock_operator, stock_member
from promo_mypy.plugin.types.generic_arrays import REVERSED
from promo_mypy.rules.operators import Operator

#: Expressions with operators. mypy also looks methods up for the definition of a class.
OPERATIONS: Final = (OpExpr, ComparisonExpr, OperatorAssignmentStmt)


def member_access(ctx: AttributeContext, operator: Operator) -> Type:
    """The type of an operator whose signature the plugin replaced, when mypy looks it up.

    mypy takes a union on the right apart only after the left operand rejected the whole union. The union's own
    reflected operator has no hook, so it must not be found first. A type variable has the operator of its bound, as
    without the plugin.
    """
    if isinstance(ctx.type, Instance):
        return ctx.default_attr_type
    if isinstance(ctx.type, UnionType) and operator.method in REVERSED and isinstance(ctx.context, OPERATIONS):
        ctx.api.fail("a union of arrays has no operator of its own", ctx.context)  # mypy captures it and goes on
    elif isinstance(ctx.type, TypeVarType):
        bound = get_proper_type(ctx.type.upper_bound)
        if isinstance(bound, Instance) and has_stock_operator(bound, operator.method):
            return stock_member(ctx.api, ctx.type, operator.method, ctx.context)
        if not isinstance(bound, UnionType):
            return ctx.default_attr_type
        items = [item for item in get_proper_types(bound.items) if isinstance(item, Instance)]
        arrays = [item for item in items if has_stock_operator(item, operator.method)]
        if len(arrays) == 1:  # mypy does not tell which member it looks at
            return stock_member(ctx.api, arrays[0], operator.method, ctx.context)
    return ctx.default_attr_type
