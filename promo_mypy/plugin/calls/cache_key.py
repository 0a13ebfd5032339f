"""Calls that types alone decide: what was found for one holds for all others of the same types.

Arrays are what they are wherever they come from. A list may have items that its type does not tell, a string may name a
dtype, and a number may be worked out from `2**63`: calls with such arguments are looked at one by one.
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

# Expressions that are no more than their type says, if it is that of a number.
_SIMPLE: Final = (NameExpr, MemberExpr, IntExpr, FloatExpr, IndexExpr, ComparisonExpr)


def question_of(ctx: CallContext, row: Row, receiver: Type | None, session: Session) -> Question | None:
    """What the result depends on, if that is types alone; None if it depends on expressions, too."""
    question: list[object] = [row, receiver and session.canonical(receiver), ctx.default_return_type]
    for types, expressions, kinds, keywords in zip(ctx.arg_types, ctx.args, ctx.arg_kinds, ctx.arg_names, strict=True):
        # Most parameters of a function are given nothing.
        if not types:
            continue
        for typ, expression, kind, keyword in zip(types, expressions, kinds, keywords, strict=True):
            if kind is not ARG_POS and kind is not ARG_NAMED:
                return None
            if _says_everything(typ, expression):
                # The type of a float says nothing of its value, which a function may refuse to store.
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
