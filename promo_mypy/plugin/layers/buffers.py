"""Check `self.register_buffer("scale", x)` as an assignment to the attribute that the class declares as `scale`.

The dtype of a buffer that is declared without one is noted.
"""

from mypy.nodes import StrExpr
from mypy.plugin import MethodContext
from mypy.subtypes import is_subtype
from mypy.types import Instance, Type, has_type_vars

from promo_mypy.plugin.layers import registered_buffers
from promo_mypy.plugin.mypy_api.arguments import for_parameter
from promo_mypy.plugin.mypy_api.checker.type_checker import report_incompatible
from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_declared
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import read
from promo_mypy.plugin.types.container_types import without_dtypes


def check(ctx: MethodContext, session: Session) -> Type:
    """Report a tensor of another dtype than the declared one. To mypy the call binds no attribute."""
    name, tensor = for_parameter(ctx, "name"), for_parameter(ctx, "tensor")
    if name is None or tensor is None or session.watch.leaves_alone(ctx.api):
        return ctx.default_return_type
    if not isinstance(ctx.type, Instance) or not isinstance(name.expression, StrExpr):
        return ctx.default_return_type
    attribute = attribute_of(ctx.type, name.expression.value)
    declared = attribute.type if attribute is not None and is_declared(attribute) else None
    if attribute is None or declared is None or has_type_vars(declared):
        return ctx.default_return_type
    values = read(tensor.type, session.platform)
    if not session.mentions_dtype(declared):
        registered_buffers.note(attribute.info, attribute.name, values, ctx.api)
    elif values is not None and is_subtype(without_dtypes(tensor.type), without_dtypes(declared)):
        report_incompatible(ctx.api, tensor.type, declared, tensor.expression, is_declared=True)
    return ctx.default_return_type
