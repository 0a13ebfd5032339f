"""Turn an exception in a hook into one `promo-failure` error: the expression is unknown, and mypy goes on.

With `--show-traceback` the exception ends the run, like an exception in mypy itself, and users can report the
traceback. The tests run that way.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.nodes import Context, Node
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
)
from mypy.types import AnyType, Instance, TupleType, Type, UninhabitedType, get_proper_type

from promo_mypy.plugin.marks import call_marks
from promo_mypy.plugin.marks.matching_overloads import is_decided_by_first
from promo_mypy.plugin.mypy_api.checker import failure_reports
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.mypy_api.reports.fatal import CompileError
from promo_mypy.plugin.mypy_api.reports.recorded_changes import RecordedChanges
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.walks import opened


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
    if kind is MethodSigContext:  # most of them
        return answer
    if kind is FunctionSigContext:
        if answer is not ctx.default_signature:
            _note(ctx, ctx.default_signature.ret_type, answer.ret_type, session)
        return answer
    if kind is MethodContext or kind is FunctionContext:
        declared = ctx.default_return_type
        if type(declared) is not Instance or ctx.context in session.watch.file.known_calls:  # few of them
            _note(ctx, declared, answer, session)
        found = call_marks.with_marks(ctx, answer, session)
        exact = session.watch.memo.exact_call
        if exact is not None and ctx.context is exact:
            _note_exact(exact, found, session)
        return found
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


def _note(ctx: Any, declared: Type, answer: Type, session: Session) -> None:
    """Record what stock mypy infers for a call: Any by one of its overloads, or a type by the last that it tries."""
    file, memo, call = session.watch.file, session.watch.memo, ctx.context
    if _is_any(declared):  # also `Incomplete` in NumPy's stubs
        if answer is not declared and not is_decided_by_first(ctx, session):
            file.known_calls.add(call)
            file.decided_calls.discard(call)
            if isinstance(get_proper_type(declared), TupleType):
                file.pairs.add(call)
            else:
                file.pairs.discard(call)
            if type(ctx) is FunctionSigContext:
                memo.untyped_call = call
    elif (
        call in file.known_calls
        and type(ctx) is not FunctionSigContext
        and call not in (memo.exact_call, memo.untyped_call)
    ):
        file.decided_calls.add(call)


def _note_exact(call: Context, found: Type, session: Session) -> None:
    """Record what stock mypy infers for a call with one exact signature: an array without a mark is not Any."""
    file, is_array = session.watch.file, library_of(found) is not None
    if not is_array or value_marks.is_marked(found) or not isinstance(call, Node):
        return
    file.decided_calls.add(call)
    if value_marks.has_marked_dtype(found):
        file.closer_calls.add(call)


def _is_any(declared: Type) -> bool:
    """Whether a declared type is Any, or a tuple of Any."""
    if type(declared) is Instance or type(declared) is AnyType:  # most of them
        return type(declared) is AnyType
    proper = opened(declared)
    return isinstance(proper, AnyType) or (isinstance(proper, TupleType) and all(map(_is_any, proper.items)))


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
