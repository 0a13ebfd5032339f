"""Infer `sum(xs)`: the sum of the items of arrays and of containers."""

from collections.abc import Sequence
from typing import Final

from mypy.plugin import FunctionContext, FunctionSigContext
from mypy.typeops import make_simplified_union
from mypy.types import AnyType, ProperType, Type, TypeOfAny, flatten_nested_unions, get_proper_types

from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.operators import operator_results
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import library_of, read
from promo_mypy.plugin.types.integer_types import is_int
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.operators import OPERATORS

with late():
    from promo_mypy.plugin.mypy_api.checker import call_checking
    from promo_mypy.plugin.operators import accumulations

SUM: Final = "builtins.sum"
_PLUS: Final = OPERATORS["__add__"]
_REFLECTED_PLUS: Final = OPERATORS["__radd__"]


def infer_sum(ctx: FunctionContext, session: Session) -> Type:
    """`sum(xs)` is `0 + x + x + ...`: typeshed declares the type of x, but a sum of bools is not a bool.

    Nor is it `Literal[0]`, typeshed's sum of no items: without the plugin the items of an array and their sum are Any.
    """
    iterables = flatten_nested_unions(ctx.arg_types[0]) if ctx.arg_types else []
    items = [call_checking.item_of(ctx.api, iterable, ctx.context) for iterable in iterables]
    start = ctx.arg_types[1][0] if len(ctx.arg_types) > 1 and ctx.arg_types[1] else None
    zero = session.symbols.instance("builtins.int")
    if not items or zero is None:
        return ctx.default_return_type
    item = make_simplified_union([AnyType(TypeOfAny.special_form) if each is None else each for each in items])
    if not _are_known(item, session):
        # A sum is unknown if some of its items are: an integer and a float16 make a float64. For items of unknown type
        # mypy takes typeshed's first overload, the sum of bools, which is an int.
        is_mixed = any(_are_known(each, session) for each in members(item))
        is_guess = _is_guessed(ctx, item, has_start=start is not None)
        return AnyType(TypeOfAny.implementation_artifact) if is_mixed or is_guess else ctx.default_return_type
    known = _summed(zero if start is None else start, item, ctx, session)
    if known is None:
        return AnyType(TypeOfAny.implementation_artifact)
    if value_marks.is_marked(item):
        known = value_marks.marked(known, session.symbols, session.platform)
    # Without items the sum is the start.
    return make_simplified_union([known, start]) if start is not None and library_of(start) else known


def _is_guessed(ctx: FunctionContext, item: Type, *, has_start: bool) -> bool:
    """Whether several overloads fit: for a list of Any without a start, and for items that may be arrays."""
    declared = ctx.default_return_type
    if not has_start and any(isinstance(each, AnyType) for each in members(declared)):
        return True
    return is_int(declared) and any(map(_may_be_an_array, [*members(item), *_displayed(ctx)]))


def _displayed(ctx: FunctionContext) -> Sequence[ProperType]:
    """The types of the items in the display that is summed: mypy infers `list[bool]` for items of type Any."""
    return get_proper_types(call_checking.item_types(ctx.args[0][0], ctx.api))


def _may_be_an_array(typ: ProperType) -> bool:
    return isinstance(typ, AnyType) or library_of(typ) is not None


def _are_known(typ: Type, session: Session) -> bool:
    values = read(typ, session.platform)
    return values is not None and all(value.library is not Library.PYTHON for value in values)


def _summed(start: Type, item: Type, ctx: FunctionContext | FunctionSigContext, session: Session) -> Type | None:
    """The sum of any number of items; None if it is unknown."""
    first = _plus(start, item, ctx, session)
    if first is None:
        return None
    return accumulations.accumulated(first, lambda before: _plus(before, item, ctx, session))


def _plus(left: Type, right: Type, ctx: FunctionContext | FunctionSigContext, session: Session) -> Type | None:
    """The sums of all pairs of members of two unions; None if the sum of a pair is unknown."""
    sums = []
    for one in members(left):
        for other in members(right):
            operator, operands = (_PLUS, (one, other)) if library_of(one) else (_REFLECTED_PLUS, (other, one))
            found = operator_results.infer(
                Operation(operator, operands[0], [operands[1]], ctx.context), session, ctx.api
            )
            if found is None:
                return None
            sums.append(found)
    return make_simplified_union(sums)


def marked_sum(item: Type, ctx: FunctionSigContext, session: Session) -> Type | None:
    """The sum of marked items, which begins with the int 0; None if it is unknown."""
    zero = session.symbols.instance("builtins.int")
    known = _summed(zero, item, ctx, session) if zero is not None else None
    return None if known is None else value_marks.marked(known, session.symbols, session.platform)
