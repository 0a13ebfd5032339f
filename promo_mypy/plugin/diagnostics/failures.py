"""Turn an exception in a hook into one `promo-failure` error: the expression is unknown, and mypy goes on.

With `--show-traceback` the exception ends the run, like an exception in mypy itself, and users can report the
traceback. The tests run that way.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
)
from mypy.types import Type, UninhabitedType

from promo_mypy.plugin.marks import call_marks
from promo_mypy.plugin.mypy_api.checker import failure_reports
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.mypy_api.reports.fatal import CompileError
from promo_mypy.plugin.mypy_api.reports.recorded_changes import RecordedChanges
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks


def guarded(feature: Callable[..., Any], session: Session) -> Callable[[Any], Any]:
    """The hook `context -> Type` of a feature `(context, session) -> Type`."""
    return partial(_answer, feature, session)


def _answer(feature: Callable[..., Any], session: Session, ctx: Any) -> Any:
    try:
        default = _default(ctx)
        found = _found(feature, session, ctx)
        if found is not default:
            _record(ctx, session)
        return found
    except CompileError:
        raise
    except Exception as defect:
        failure_reports.report_defect(ctx.api, defect, ctx.context)
        return _default(ctx)


def _found(feature: Callable[..., Any], session: Session, ctx: Any) -> Any:
    kind = type(ctx)
    if (kind is FunctionContext or kind is MethodContext) and type(ctx.default_return_type) is UninhabitedType:
        ctx = call_marks.without_never(ctx)
    answer = feature(ctx, session=session)
    if kind is MethodSigContext or kind is FunctionSigContext:  # most of them
        return answer
    if kind is MethodContext or kind is FunctionContext:
        return call_marks.with_marks(ctx, answer, session)
    if kind is AttributeContext and value_marks.is_marked(ctx.type):
        return value_marks.marked(answer, session.symbols, session.platform)
    return answer


def _record(ctx: Any, session: Session) -> None:
    """Record that a hook gave another answer than mypy."""
    if type(ctx.api.var_decl_frames) is dict:
        session.watch.follow(ctx.api)
    table = ctx.api.var_decl_frames
    if isinstance(table, RecordedChanges):
        table.answers.add(ctx.context)


def guarded_annotation(
    hook: Callable[[AnalyzeTypeContext], Type], stock: Callable[[AnalyzeTypeContext], Type]
) -> Callable[[AnalyzeTypeContext], Type]:
    """The hook of a name in annotations. `stock` returns mypy's type for the name without the hook."""

    def answer(ctx: AnalyzeTypeContext) -> Type:
        try:
            return hook(ctx)
        except Exception as defect:
            if semantic_analysis.shows_traceback(ctx):
                raise
            semantic_analysis.fail(ctx, failure_reports.finding_about(defect))
            return stock(ctx)

    return answer


def _default(ctx: Any) -> Any:
    kind = type(ctx)
    if kind is MethodSigContext or kind is FunctionSigContext:
        return ctx.default_signature
    return ctx.default_attr_type if kind is AttributeContext else ctx.default_return_type
