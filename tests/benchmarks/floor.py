"""The least that a plugin in Python costs: the hooks of ours, asked as often, each with the first answer at hand.

mypy builds a context for every question and calls into Python for the answer. This plugin reads the same annotations,
opens the same classes and is asked the same questions; it looks no dtype up and builds no type. What it takes beyond
stock mypy no faster rule can save. Its answers are wrong, and so may be mypy's errors.
"""

from collections.abc import Callable
from typing import Any

from mypy.nodes import ARG_STAR, ARG_STAR2
from mypy.plugin import AttributeContext, FunctionSigContext, MethodSigContext
from mypy.types import AnyType, CallableType, FunctionLike, Type, TypeOfAny

from promo_mypy.plugin import plugin as plugin
from promo_mypy.plugin.diagnostics import failures
from promo_mypy.plugin.state.session import Session

_ANY = AnyType(TypeOfAny.special_form)


def _answer(ctx: Any) -> Type | FunctionLike:
    match ctx:
        case MethodSigContext():
            return _closed(ctx.default_signature, ctx.type)
        case FunctionSigContext():
            return _closed(ctx.default_signature, ctx.default_signature.ret_type)
        case AttributeContext():
            return ctx.default_attr_type
        case _:
            found: Type = ctx.default_return_type
            return found


def _closed(signature: CallableType, result: Type) -> CallableType:
    return CallableType([_ANY, _ANY], [ARG_STAR, ARG_STAR2], [None, None], result, signature.fallback)


def _guarded(feature: Callable[..., Any], session: Session) -> Callable[[Any], Any]:  # noqa: ARG001 (as it is called)
    return _answer


# The tables of hooks are built later, and of what this module has then.
failures.guarded = _guarded
