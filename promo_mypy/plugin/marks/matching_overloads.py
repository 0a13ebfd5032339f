"""Find out whether stock mypy infers Any for a call of an overloaded function with an array of unknown dtype.

If several overloads accept such an argument, mypy infers Any, unless all of them return the same type, or declare the
same type for the argument.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from mypy.erasetype import erase_typevars
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    ARG_STAR2,
    CallExpr,
    OverloadedFuncDef,
    RefExpr,
    Var,
)
from mypy.plugin import FunctionContext
from mypy.subtypes import is_same_type, is_subtype
from mypy.types import AnyType, CallableType, Instance, Overloaded, Type, TypeOfAny, TypeVarType, get_proper_type

from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype

Given = Sequence[tuple[str | None, Type]]
_Question = Callable[[FunctionContext, CallExpr, Sequence[CallableType], Session], bool]


def is_any_without_dtypes(ctx: FunctionContext, session: Session) -> bool:
    """Whether an argument has an unknown or inferred dtype, and stock mypy infers Any for the call."""
    return _asked(ctx, session, session.watch.memo.ambiguous, _is_any)


def is_decided_by_first(ctx: object, session: Session) -> bool:
    """Whether an overload before one that returns Any accepts the arguments, and decides: `np.all(x)` of any x.

    False for a call of a method, and for one that mypy checks with a single, exact signature.
    """
    if not isinstance(ctx, FunctionContext) or ctx.context is session.watch.memo.exact_call:
        return False
    return _asked(ctx, session, session.watch.memo.decided_by_first, _is_first)


def _asked(ctx: FunctionContext, session: Session, known: dict[tuple[object, ...], bool], ask: _Question) -> bool:
    """The answer of a question about the overloads of a call; mypy asks about it for one overload after another."""
    call = ctx.context
    if not isinstance(call, CallExpr) or not isinstance(call.callee, RefExpr):
        return False
    overloads = _overloads(call.callee)
    if len(overloads) < 2:
        return False
    formals = ctx.callee_arg_names if any(call.arg_names) else ()
    kinds = map(id, call.arg_kinds)  # the hash of an enum's member runs Python code
    given = (*call.arg_names, *kinds, *formals, *map(len, ctx.arg_types))
    question = (call.callee.node, *given, *chain(*ctx.arg_types))
    found = known.get(question)
    if found is None:
        has_stars = ARG_STAR in call.arg_kinds or ARG_STAR2 in call.arg_kinds
        found = known[question] = not has_stars and ask(ctx, call, overloads, session)
    return found


def _is_any(ctx: FunctionContext, call: CallExpr, overloads: Sequence[CallableType], session: Session) -> bool:
    if not any(_is_unknown(typ, session) for types in ctx.arg_types for typ in types):
        return False
    given = _given(ctx, call)
    accepting = _accepting(overloads, given)
    if len({_class(overload.ret_type) for overload in accepting}) < 2:
        return False
    return _are_ambiguous(accepting, given, session)


def _is_first(ctx: FunctionContext, call: CallExpr, overloads: Sequence[CallableType], session: Session) -> bool:
    given = _given(ctx, call)
    accepting = _accepting(overloads, given)
    is_any = bool(accepting) and isinstance(get_proper_type(accepting[0].ret_type), AnyType)
    return len(accepting) > 1 and not is_any and not _are_ambiguous(accepting, given, session)


def _given(ctx: FunctionContext, call: CallExpr) -> Given:
    """The arguments in their order, with their types in stock mypy."""
    types = {
        argument: typ
        for arguments, found in zip(ctx.args, ctx.arg_types, strict=True)
        for argument, typ in zip(arguments, found, strict=True)
    }
    pairs = zip(call.arg_names, call.args, strict=True)
    return [(name, _without_inferred(types.get(argument))) for name, argument in pairs]


def _accepting(overloads: Sequence[CallableType], given: Given) -> Sequence[CallableType]:
    return [overload for overload in overloads if _accepts(overload, given)]


def _are_ambiguous(accepting: Sequence[CallableType], given: Given, session: Session) -> bool:
    """Whether the overloads declare several types for an argument of which stock mypy knows no type, or no dtype."""
    formals = zip(*(_formals(overload, given) for overload in accepting), strict=True)
    unknown = (_is_open(typ, session) for _, typ in given)
    return any(is_unknown and _differ(each) for is_unknown, each in zip(unknown, formals, strict=True))


def _is_unknown(typ: Type, session: Session) -> bool:
    known = session.watch.memo.unknown
    found = known.get(typ)
    if found is None:
        found = known[typ] = (
            value_marks.is_marked(typ)
            or value_marks.has_marked_dtype(typ)
            or (library_of(typ) is not None and has_unknown_dtype(typ, session.platform))
        )
    return found


def _is_open(given: Type, session: Session) -> bool:
    """Whether stock mypy knows no type, or no dtype, of an argument."""
    return isinstance(get_proper_type(given), AnyType) or _is_unknown(given, session)


def _differ(formals: Sequence[Type | None]) -> bool:
    """Whether overloads declare several types for one argument. If all declare one, mypy takes the first overload."""
    first = formals[0]
    return any(formal is None or first is None or not is_same_type(first, formal) for formal in formals[1:])


def _overloads(callee: RefExpr) -> list[CallableType]:
    function = callee.node
    declared = get_proper_type(function.type) if isinstance(function, OverloadedFuncDef | Var) else None
    return declared.items if isinstance(declared, Overloaded) else []


def _without_inferred(typ: Type | None) -> Type:
    """The type of an argument in stock mypy: an inferred dtype is unknown there."""
    if typ is None or value_marks.is_marked(typ):
        return AnyType(TypeOfAny.special_form)
    return without_dtypes(typ) if value_marks.has_marked_dtype(typ) else typ


def _accepts(overload: CallableType, given: Given) -> bool:
    formals = list(_formals(overload, given))
    if len(formals) < len(given) or any(formal is None for formal in formals):
        return False
    named = {name for name, _ in given if name is not None}
    positions = sum(name is None for name, _ in given)
    required = zip(overload.arg_names[positions:], overload.arg_kinds[positions:], strict=True)
    if any(kind in (ARG_POS, ARG_NAMED) and name not in named for name, kind in required):
        return False
    pairs = zip(given, formals, strict=True)
    return all(formal is not None and is_subtype(typ, erase_typevars(formal)) for (_, typ), formal in pairs)


def _formals(overload: CallableType, given: Given) -> Iterator[Type | None]:
    for position, (name, _) in enumerate(given):
        parameter = overload.argument_by_name(name) if name else overload.argument_by_position(position)
        yield parameter.typ if parameter is not None else None


def _class(result: Type) -> str:
    """The class of a result, without its dtype."""
    proper = get_proper_type(result)
    if isinstance(proper, TypeVarType):
        return str(proper.upper_bound)
    return proper.type.fullname if isinstance(proper, Instance) else str(proper)
