"""Check `self.register_buffer("scale", x)` as an assignment to the attribute that the class declares as `scale`."""

from mypy.nodes import StrExpr, Var
from mypy.plugin import MethodContext
from mypy.types import Instance, Type, has_type_vars

from promo_mypy.plugin.mypy_api.arguments import for_parameter
from promo_mypy.plugin.mypy_api.type_checker import report_incompatible
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import read


def check(ctx: MethodContext, session: Session) -> Type:
    """Report a tensor of another dtype than the declared one. To mypy the call binds no attribute."""
    name, tensor = for_parameter(ctx, "name"), for_parameter(ctx, "tensor")
    if name is None or tensor is None or session.watch.leaves_alone(ctx.api):
        return ctx.default_return_type
    if not isinstance(ctx.type, Instance) or not isinstance(name.expression, StrExpr):
        return ctx.default_return_type
    symbol = ctx.type.type.get(name.expression.value)
    declared = symbol.node.type if symbol is not None and isinstance(symbol.node, Var) else None
    if declared is None or has_type_vars(declared) or not session.mentions_dtype(declared):
        return ctx.default_return_type
    if read(tensor.type, session.platform) is not None:
        report_incompatible(ctx.api, tensor.type, declared, tensor.expression, is_declared=True)
    return ctx.default_return_type
