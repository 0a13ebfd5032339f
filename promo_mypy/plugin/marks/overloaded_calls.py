"""Ask stock mypy what it infers for a call of an overloaded function with an array of unknown or inferred dtype.

If several overloads accept such an argument, mypy infers Any for the call, or for the items of a tuple.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from mypy.nodes import CallExpr, IndexExpr, OverloadedFuncDef, RefExpr, SymbolNode, Var
from mypy.types import AnyType, Instance, Overloaded, TupleType, Type, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_ranks import fits_several_overloads
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype
from promo_mypy.plugin.types.walks import opened

_TUPLE: Final = "builtins.tuple"


def is_overloaded(function: SymbolNode | None) -> bool:
    """Whether this is a function or method, or a variable that holds one, with several overloads."""
    declared = get_proper_type(function.type) if isinstance(function, OverloadedFuncDef | Var) else None
    return isinstance(declared, Overloaded) and len(declared.items) > 1


def is_any_without_dtypes(ctx: CallContext, session: Session, function: SymbolNode | None = None) -> bool:
    """Whether an argument has an unknown or inferred dtype, and stock mypy infers Any for the call.

    `function`: what is called, if that is no name.
    """
    if function is None:
        callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
        function = callee.node if isinstance(callee, RefExpr) else None
    stock = stock_type(ctx, session) if is_overloaded(function) else None
    return stock is not None and holds_any(stock)


def stock_type(ctx: CallContext, session: Session) -> Type | None:
    """What stock mypy infers for a call with an array of unknown or inferred dtype; None for any other call."""
    if not isinstance(ctx.context, CallExpr | IndexExpr) or not _has_unknown(chain(*ctx.arg_types), session):
        return None
    stock = stock_checks(ctx.api)
    return stock.type_of(ctx.context) if stock is not None else None


def holds_any(typ: Type) -> bool:
    """Whether this is Any, or a tuple of any length with items of type Any."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.type.fullname == _TUPLE:
        proper = get_proper_type(proper.args[0])
    return isinstance(proper, AnyType)


def _has_unknown(given: Iterable[Type], session: Session) -> bool:
    return any(_is_unknown(typ, session) for typ in given)


def _is_unknown(typ: Type, session: Session) -> bool:
    known = session.watch.memo.unknown
    found = known.get(typ)
    if found is None:
        proper = opened(typ)
        if isinstance(proper, TupleType):
            found = _has_unknown(proper.items, session)
        else:
            is_inferred = value_marks.is_marked(typ) or value_marks.has_marked_dtype(typ)
            has_no_dtype = library_of(typ) is not None and has_unknown_dtype(typ, session.platform)
            found = is_inferred or has_no_dtype or fits_several_overloads(typ)
        known[typ] = found
    return found
