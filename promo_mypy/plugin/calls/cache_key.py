"""Build the cache key of a call whose result depends only on types. Calls with equal keys share one result.

The type of an array is enough. But a list may have items that its type does not show, a string may name a dtype, and a
number may be computed from `2**63`. A call with such an argument has no key and is inferred each time.
"""

from typing import Final

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ComparisonExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
)
from mypy.types import Instance, NoneType, Type, get_proper_type

from promo_mypy.plugin.calls.arguments.dtype_arguments import constant_dtype
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.state.caches import Question
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.rules.functions.language.rows import Row

# Expressions about which the type says everything if it is the type of a number.
_SIMPLE: Final = (NameExpr, MemberExpr, IntExpr, FloatExpr, IndexExpr, ComparisonExpr)


def question_of(ctx: CallContext, row: Row, receiver: Type | None, session: Session) -> Question | None:
    """The types that the result depends on; None if it depends on expressions, too."""
    question: list[object] = [row, receiver and session.canonical(receiver), ctx.default_return_type]
    for types, expressions, kinds, keywords in zip(ctx.arg_types, ctx.args, ctx.arg_kinds, ctx.arg_names, strict=True):
        # Most parameters get no argument.
        if not types:
            continue
        for typ, expression, kind, keyword in zip(types, expressions, kinds, keywords, strict=True):
            if kind is not ARG_POS and kind is not ARG_NAMED:
                return None
            if _says_everything(typ, expression):
                # The type of a float does not show its value, and a function may reject a value that does not fit.
                question += (keyword, expression.value if isinstance(expression, FloatExpr) else session.canonical(typ))
                continue
            named = constant_dtype(expression)
            if named is None:
                return None
            question += (keyword, named)
    return tuple(question)


def _says_everything(declared: Type, expression: Expression) -> bool:
    typ = get_proper_type(declared)
    if not isinstance(typ, Instance):
        return isinstance(typ, NoneType)
    return library_of(typ) is not None or (is_number(typ) and isinstance(expression, _SIMPLE))
