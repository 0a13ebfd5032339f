"""Infer the parameters of PyTorch's layers as attributes: `self.linear.weight` has the dtype of the layer."""

from typing import Final

from mypy.nodes import CallExpr, MemberExpr
from mypy.plugin import AttributeContext, MethodContext
from mypy.types import Instance, ProperType, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.layers.module_dtypes import parameter_dtype, state_of
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.torch_module_uses import file_modules
from promo_mypy.plugin.types.array_types import with_dtypes
from promo_mypy.plugin.types.walks import members, with_parts
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import UNKNOWN_RANK

_TENSORS: Final = frozenset({names.TORCH_TENSOR, names.TORCH_PARAMETER})


def infer(ctx: AttributeContext, session: Session) -> Type:
    """The dtype that the layer has at this place.

    It is unknown if the file gives parameters other data, or keeps this one while it casts the layer.
    """
    declared = ctx.default_attr_type
    if ctx.is_lvalue or session.watch.leaves_alone(ctx.api) or not isinstance(ctx.context, MemberExpr):
        return declared
    if file_modules(type_checker.tree(ctx.api)).changes_later(ctx.context):
        return declared
    dtype = state_of(ctx.context.expr, session, ctx.api).dtype
    return declared if dtype is None else _of_dtype(declared, dtype, session)


def _of_dtype(declared: Type, dtype: type[dt.Shaped], session: Session) -> Type:
    """The declared tensor with that dtype; a layer may have None in its place."""

    def with_dtype(member: ProperType) -> Type:
        if not isinstance(member, Instance) or member.type.fullname not in _TENSORS:
            return member
        return with_dtypes(member, frozenset({dtype}), UNKNOWN_RANK, session.symbols)

    return UnionType.make_union([with_dtype(each) for each in members(declared)])


def infer_all(ctx: MethodContext, session: Session) -> Type:
    """`module.parameters()`, `module.named_parameters()`: the dtype that all parameters have."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    declared = ctx.default_return_type
    if session.watch.leaves_alone(ctx.api) or not isinstance(callee, MemberExpr):
        return declared
    dtype = parameter_dtype(callee.expr, session, ctx.api)
    return declared if dtype is None else _of_all(declared, dtype, session)


def _of_all(typ: Type, dtype: type[dt.Shaped], session: Session) -> Type:
    """The iterator with that dtype in each tensor."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.type.fullname in _TENSORS:
        return _of_dtype(proper, dtype, session)
    return with_parts(typ, lambda part: _of_all(part, dtype, session))
