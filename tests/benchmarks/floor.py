"""The least cost of a plugin in Python: the hooks of ours, called as often, but each with a trivial answer.

mypy builds a context for every question and calls into Python for the answer. This plugin reads the same annotations,
opens the same classes and gets the same questions, but it looks up no dtype and builds no type. No faster rule can
save the time that it takes beyond stock mypy. Its answers are wrong, and mypy's errors may be, too.
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


# The tables of hooks are built later, from the names that this module has then.
failures.guarded = _guarded
