"""Report the calls of registry functions that bring in a forbidden dtype."""

from collections.abc import Sequence

from mypy.nodes import CallExpr, MemberExpr
from mypy.plugin import MethodContext

from promo_mypy.plugin.calls.resolution import CallAnswers
from promo_mypy.plugin.diagnostics import forbidden
from promo_mypy.plugin.mypy_api.arguments import Argument, CallContext
from promo_mypy.plugin.state.session import Session
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.functions.language.vocabulary import Cast


def check(ctx: CallContext, row: Row, found: CallAnswers, given: Sequence[Argument], session: Session) -> None:
    """Report the call if its dtype is forbidden: at the call for a cast, otherwise where the dtype comes from."""
    results = [answer for answer in found.answers if isinstance(answer, type) and issubclass(answer, dt.Shaped)]
    if len(results) < len(found.answers):
        return
    dialect = session.system(found.library, ctx.api).dialect
    if isinstance(row.rule, Cast):
        forbidden.report_request(frozenset(results), ctx.context, dialect, session, ctx.api)
        return
    expressions = {argument.expression: argument.type for argument in given}
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if isinstance(ctx, MethodContext) and isinstance(callee, MemberExpr):
        expressions[callee.expr] = ctx.type
    forbidden.report_call(
        f"{row.full_name}()",
        frozenset(results),
        expressions,
        any(parameter.name == "dtype" for parameter in signature(row.signature).parameters),
        ctx.context,
        session,
        ctx.api,
        dialect,
    )
