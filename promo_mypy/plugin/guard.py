"""A defect of ours to one error of ours: the expression counts as unknown, and mypy goes on.

With `--show-traceback` a defect ends the run as a defect of mypy's own does, and the traceback is what to report. The
tests run that way.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from mypy.errors import CompileError
from mypy.plugin import AnalyzeTypeContext, AttributeContext, FunctionSigContext, MethodSigContext
from mypy.types import FunctionLike, Type

from promo_mypy.plugin import mypy_analysis, mypy_internals
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.session import Session
from promo_mypy.rules import diagnostics

_CODE: Final = CODES[diagnostics.FAILURE]


def guarded(feature: Callable[..., Any], session: Session) -> Callable[[Any], Any]:
    """The hook `context -> Type` of a feature `(context, session) -> Type`."""
    return partial(_answer, feature, session)


def _answer(feature: Callable[..., Any], session: Session, ctx: Any) -> Any:
    try:
        return feature(ctx, session=session)
    except CompileError:
        raise
    except Exception as defect:
        if mypy_internals.shows_traceback(ctx.api):
            raise
        mypy_internals.report(ctx.api, _message(defect), ctx.context, _CODE)
        return _default(ctx)


def guarded_annotation(
    hook: Callable[[AnalyzeTypeContext], Type], stock: Callable[[AnalyzeTypeContext], Type]
) -> Callable[[AnalyzeTypeContext], Type]:
    """The hook of a name in annotations; `stock` says what mypy makes of the name without it."""

    def answer(ctx: AnalyzeTypeContext) -> Type:
        try:
            return hook(ctx)
        except Exception as defect:
            if mypy_analysis.shows_traceback(ctx):
                raise
            mypy_analysis.fail(ctx, _message(defect), _CODE)
            return stock(ctx)

    return answer


def _message(defect: Exception) -> str:
    return diagnostics.FAILURE.text.format(problem=f"{type(defect).__name__}: {defect}")


def _default(ctx: Any) -> Type | FunctionLike:
    if isinstance(ctx, MethodSigContext | FunctionSigContext):
        return ctx.default_signature
    default: Type = ctx.default_attr_type if isinstance(ctx, AttributeContext) else ctx.default_return_type
    return default
