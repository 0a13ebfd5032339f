"""Infer calls of methods that `functools.wraps` decorates, such as `x.map_blocks(f, dtype=bool)` of a Dask array.

mypy takes them for attributes that are called, and asks for `__call__` of their class.
"""

from mypy.nodes import CallExpr, MemberExpr
from mypy.plugin import MethodContext
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin.calls.function_rows import FunctionRows
from promo_mypy.plugin.calls.registry_calls import infer_call
from promo_mypy.plugin.state.session import Session


def infer(ctx: MethodContext, session: Session, *, rows: FunctionRows) -> Type:
    """The call of a wrapped function. Only methods of arrays that have a row are inferred."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(callee, MemberExpr):
        return ctx.default_return_type
    receiver = get_proper_type(ctx.api.get_expression_type(callee.expr))
    if not isinstance(receiver, Instance):
        return ctx.default_return_type
    row = rows.method(f"{receiver.type.fullname}.{callee.name}")
    return ctx.default_return_type if row is None else infer_call(ctx, row, receiver, session)
