"""Infer the parameters of PyTorch's layers as attributes: `self.linear.weight` has the dtype of the layer."""

from typing import Final

from mypy.nodes import MemberExpr
from mypy.plugin import AttributeContext
from mypy.types import Instance, ProperType, Type, UnionType

from promo_mypy.plugin import names
from promo_mypy.plugin.layers.module_dtypes import state_of
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.torch_module_uses import file_modules
from promo_mypy.plugin.types.array_types import with_dtypes
from promo_mypy.plugin.types.walks import members
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
