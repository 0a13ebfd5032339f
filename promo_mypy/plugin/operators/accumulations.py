"""Infer the final type of a function that is applied repeatedly, as in `sum(xs)` and `functools.reduce(f, xs)`."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

from mypy.nodes import ARG_POS, CallExpr, Expression, LambdaExpr, ListExpr, StarExpr, TupleExpr
from mypy.plugin import FunctionSigContext
from mypy.subtypes import is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import AnyType, CallableType, FunctionLike, Type, TypeOfAny

from promo_mypy.plugin.mypy_api.checker.call_checking import item_of, result_of_call
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.written_arguments import positional
from promo_mypy.plugin.types import container_types
from promo_mypy.plugin.types.container_types import may_be_anything

# No chain of dtypes, in which each is the result of a step from the previous one, is longer.
_ROUNDS: Final = 8


def accumulated(first: Type, step: Callable[[Type], Type | None]) -> Type | None:
    """The type of `first` after zero or more steps; None if the result of a step is unknown."""
    known = first
    for _ in range(_ROUNDS):
        more = step(known)
        if more is None:
            return None
        if is_subtype(more, known, ignore_promotions=True):  # promotions would drop a weak array beside a strong one
            return known
        known = make_simplified_union([known, more])
    return None


def infer_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:  # noqa: ARG001 (a feature)
    """`functools.reduce` of arrays: typeshed requires a function whose result has the type of the items.

    The result is what the function returns for its own result and an item. Without an initial value the result may be
    the only item.
    """
    call, signature = ctx.context, ctx.default_signature
    if not isinstance(call, CallExpr) or len(call.args) != len(signature.arg_types):
        return signature
    given = positional(call)
    if len(given) < max(2, len(call.args)):
        return signature
    function, items, *start = given
    item = item_of(ctx.api, ctx.api.get_expression_type(items), call)
    first = ctx.api.get_expression_type(start[0]) if start else item
    if item is None or first is None or not container_types.holds_array(item) or may_be_anything(item):
        return signature  # the result is Any, as the join of the items
    written = _written(items, ctx)
    if written is not None and not isinstance(function, LambdaExpr):
        reached: Type | None = reduce(
            lambda known, each: result_of_call(ctx.api, function, [known, each])[0],
            [*([first] if start else []), *written],
        )
    else:
        of_the_first, _ = result_of_call(ctx.api, function, [first, item])
        reached = accumulated(of_the_first, lambda known: result_of_call(ctx.api, function, [known, item])[0])
    any_type = AnyType(TypeOfAny.special_form)
    before: Type = any_type if reached is None else make_simplified_union([first, reached])
    # A caller who starts with a number does not expect the number back.
    steps = (written is not None and len(written) > 1) or not container_types.holds_array(first)
    result = reached if steps and reached is not None else before
    step = CallableType([before, item], [ARG_POS, ARG_POS], [None, None], any_type, signature.fallback)
    taken = [step, signature.arg_types[1], any_type][: len(call.args)]
    return signature.copy_modified(arg_types=taken, ret_type=result)


def _written(items: Expression, ctx: FunctionSigContext) -> Sequence[Type] | None:
    """The types of the items of a display; None if their number is unknown."""
    if not isinstance(items, ListExpr | TupleExpr) or any(isinstance(item, StarExpr) for item in items.items):
        return None
    return [ctx.api.get_expression_type(item) for item in items.items] or None
