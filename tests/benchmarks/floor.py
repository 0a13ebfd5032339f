"""The least cost of a plugin in Python: the hooks of ours, called as often, but each with a trivial answer.

mypy builds a context for every question and calls into Python for the answer. This plugin reads the same annotations,
opens the same classes and gets the same questions. It looks up no dtype, builds no type, follows no variable and
filters no error. No faster rule can save the time that it takes beyond stock mypy. mypy tries no overload of NumPy's
functions, as with the plugin. The answers are those of stock mypy elsewhere, so that there are few errors of its own:
mypy takes long to report one.
"""

from collections.abc import Callable
from typing import Any

from mypy.nodes import ARG_STAR, ARG_STAR2
from mypy.plugin import AttributeContext, FunctionSigContext, MethodSigContext
from mypy.types import AnyType, CallableType, FunctionLike, Type, TypeOfAny

from promo_mypy.plugin import plugin as plugin
from promo_mypy.plugin.diagnostics import failures
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.state.watch import Watch
from promo_mypy.plugin.types.array_types import library_of

_ANY = AnyType(TypeOfAny.special_form)


def _answer(ctx: Any) -> Type | FunctionLike:
    match ctx:
        case MethodSigContext() if library_of(ctx.type) is Library.NUMPY:
            return _closed(ctx.default_signature, ctx.type)
        case MethodSigContext():
            return ctx.default_signature
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


def _nothing(*_: object, **__: object) -> None:
    """Follow no file, and find no hook of a user's function."""


failures.guarded = _guarded

# These modules take `guarded` when they are imported.
from promo_mypy.plugin.features import Features  # noqa: E402  # as above
from promo_mypy.plugin.user_functions import UserFunctions  # noqa: E402  # as above

Watch.follow = _nothing  # type: ignore[method-assign]  # what follows variables and errors
Features._begin_file = _nothing  # type: ignore[method-assign]  # what reads the functions of a file
UserFunctions.hook = _nothing  # type: ignore[method-assign]  # what knows functions without rows
