"""Find out whether stock mypy infers Any for a call of an overloaded function with an array of unknown dtype.

If several overloads accept such an argument, mypy infers Any, unless all of them return the same type, or declare the
same type for the argument.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final

from mypy.constraints import SUPERTYPE_OF, infer_constraints
from mypy.erasetype import erase_typevars
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    ARG_STAR2,
    ArgKind,
    CallExpr,
    Expression,
    FakeInfo,
    IndexExpr,
    OverloadedFuncDef,
    RefExpr,
    SymbolNode,
    Var,
)
from mypy.subtypes import is_same_type, is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    Overloaded,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
    get_proper_type,
)

from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_ranks import fits_several_overloads
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype
from promo_mypy.plugin.types.walks import opened, with_parts
from promo_mypy.rules.records import record

Given = Sequence[tuple[str | None, Type]]

#: Of several tuples mypy keeps the class, and infers Any for the items.
_TUPLE: Final = "builtins.tuple"


@record
class Overloads:
    """A function and its overloads. Those of a method are without the parameter that gets the object or class."""

    function: SymbolNode
    items: Sequence[CallableType]
    is_function: bool


@record
class _Call:
    """The arguments of a call, or the index of a value."""

    names: Sequence[str | None]
    kinds: Sequence[ArgKind]
    arguments: Sequence[Expression]


_Question = Callable[[CallContext, _Call, Sequence[CallableType], Session], bool]


def overloads_of(function: SymbolNode | None) -> Overloads | None:
    """The overloads of a function or method, or of a variable that has one; None if it has no overloads."""
    if not isinstance(function, OverloadedFuncDef | Var):
        return None
    declared = get_proper_type(function.type)
    if not isinstance(declared, Overloaded):
        return None
    if isinstance(function.info, FakeInfo):
        return Overloads(function, declared.items, is_function=True)
    is_bound = isinstance(function, OverloadedFuncDef) and not function.is_static
    return Overloads(function, list(map(_without_first, declared.items)) if is_bound else declared.items, False)


def _without_first(method: CallableType) -> CallableType:
    if not method.arg_types or method.arg_kinds[0] is not ARG_POS:
        return method
    return method.copy_modified(
        arg_types=method.arg_types[1:], arg_kinds=method.arg_kinds[1:], arg_names=method.arg_names[1:]
    )


def is_any_without_dtypes(ctx: CallContext, session: Session, overloads: Overloads | None = None) -> bool:
    """Whether an argument has an unknown or inferred dtype, and stock mypy infers Any for the call.

    `overloads`: those of a function or method that is in no table.
    """
    return _asked(ctx, session, session.watch.memo.ambiguous, _is_any, overloads)


def is_by_promotion(ctx: CallContext, session: Session, overloads: Overloads) -> bool:
    """Whether mypy took an overload only because a marked value fits where a number is declared.

    No overload takes the value itself, or the one that does declares another result.
    """
    return not _asked(ctx, session, session.watch.memo.taken, _takes_itself, overloads, otherwise=True)


def _asked(
    ctx: CallContext,
    session: Session,
    known: dict[tuple[object, ...], bool],
    ask: _Question,
    overloads: Overloads | None = None,
    *,
    otherwise: bool = False,
) -> bool:
    """The answer of a question about the overloads of a call; mypy asks about it for one overload after another."""
    call = _call_of(ctx.context)
    if call is None:
        return otherwise
    if overloads is None:
        callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
        overloads = overloads_of(callee.node) if isinstance(callee, RefExpr) else None
    if overloads is None or len(overloads.items) < 2:
        return otherwise
    formals = ctx.callee_arg_names if any(call.names) else ()
    kinds = map(id, call.kinds)  # the hash of an enum's member runs Python code
    given = (*call.names, *kinds, *formals, *map(len, ctx.arg_types))
    declared = (ctx.default_return_type,) if ask is _takes_itself else ()
    question = (overloads.function, *given, *declared, *chain(*ctx.arg_types))
    found = known.get(question)
    if found is None:
        has_stars = ARG_STAR in call.kinds or ARG_STAR2 in call.kinds
        found = known[question] = otherwise if has_stars else ask(ctx, call, overloads.items, session)
    return found


def _call_of(node: object) -> _Call | None:
    match node:
        case CallExpr(arg_names=names, arg_kinds=kinds, args=arguments):
            return _Call(names, kinds, arguments)
        case IndexExpr(index=index):
            return _Call((None,), (ARG_POS,), (index,))
        case _:
            return None


def _is_any(ctx: CallContext, call: _Call, overloads: Sequence[CallableType], session: Session) -> bool:
    if not _has_unknown(ctx, session):
        return False
    given = _given(ctx, call, _without_inferred)
    accepting = _accepting(overloads, given)
    classes = {_class(overload, given) for overload in accepting}
    if len(classes) < 2 and classes != {_TUPLE}:
        return False
    return _are_ambiguous(accepting, given, session)


def _takes_itself(ctx: CallContext, call: _Call, overloads: Sequence[CallableType], session: Session) -> bool:
    """Whether the first overload that takes the values without their marks has the result that mypy has found."""
    if not _has_unknown(ctx, session):
        return True
    taken = next(iter(_accepting(overloads, _given(ctx, call, _without_marks))), None)
    if taken is None:
        return False
    return bool(taken.variables) or is_same_type(taken.ret_type, ctx.default_return_type)


def _has_unknown(ctx: CallContext, session: Session) -> bool:
    return any(_is_unknown(typ, session) for typ in chain(*ctx.arg_types))


def _given(ctx: CallContext, call: _Call, of: Callable[[Type | None], Type]) -> Given:
    """The arguments in their order, with what a function makes of their types."""
    types = {
        argument: typ
        for arguments, found in zip(ctx.args, ctx.arg_types, strict=True)
        for argument, typ in zip(arguments, found, strict=True)
    }
    pairs = zip(call.names, call.arguments, strict=True)
    return [(name, of(types.get(argument))) for name, argument in pairs]


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
        proper = opened(typ)
        if isinstance(proper, TupleType):
            found = any(_is_unknown(item, session) for item in proper.items)
        else:
            is_inferred = value_marks.is_marked(typ) or value_marks.has_marked_dtype(typ)
            has_no_dtype = library_of(typ) is not None and has_unknown_dtype(typ, session.platform)
            found = is_inferred or has_no_dtype or fits_several_overloads(typ)
        known[typ] = found
    return found


def _is_open(given: Type, session: Session) -> bool:
    """Whether stock mypy knows no type, or no dtype, of an argument."""
    proper = opened(given)
    if isinstance(proper, TupleType):
        return any(_is_open(item, session) for item in proper.items)
    return isinstance(proper, AnyType) or _is_unknown(given, session)


def _differ(formals: Sequence[Type | None]) -> bool:
    """Whether overloads declare several types for one argument. If all declare one, mypy takes the first overload."""
    first = formals[0]
    return any(formal is None or first is None or not is_same_type(first, formal) for formal in formals[1:])


def _without_inferred(typ: Type | None) -> Type:
    """The type of an argument in stock mypy: an inferred dtype is unknown there."""
    if typ is None or value_marks.is_marked(typ):
        return AnyType(TypeOfAny.special_form)
    if isinstance(opened(typ), TupleType):
        return with_parts(typ, _without_inferred)
    return without_dtypes(typ) if value_marks.has_marked_dtype(typ) else typ


def _without_marks(typ: Type | None) -> Type:
    """The type of an argument in NumPy."""
    if typ is None:
        return AnyType(TypeOfAny.special_form)
    return with_parts(typ, _without_marks) if isinstance(opened(typ), TupleType) else value_marks.unmarked(typ)


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
    return all(formal is not None and is_subtype(typ, _widest(formal)) for (_, typ), formal in pairs)


def _widest(formal: Type) -> Type:
    """The type of a parameter with the bound of its type variable, or with Any for type variables in it."""
    proper = get_proper_type(formal)
    return proper.upper_bound if isinstance(proper, TypeVarType) and not proper.values else erase_typevars(formal)


def _formals(overload: CallableType, given: Given) -> Iterator[Type | None]:
    for position, (name, _) in enumerate(given):
        parameter = overload.argument_by_name(name) if name else overload.argument_by_position(position)
        yield parameter.typ if parameter is not None else None


def _class(overload: CallableType, given: Given) -> str:
    """The class of a result, without its dtype. A type variable stands for what the arguments give it."""
    result = get_proper_type(overload.ret_type)
    if isinstance(result, TypeVarType):
        pairs = zip(_formals(overload, given), given, strict=True)
        found = (_solved(result, formal, typ) for formal, (_, typ) in pairs if formal is not None)
        result = get_proper_type(next((typ for typ in found if typ is not None), result.upper_bound))
    return result.type.fullname if isinstance(result, Instance) else str(result)


def _solved(variable: TypeVarType, formal: Type, given: Type) -> Type | None:
    """What a type variable stands for by one argument."""
    constraints = infer_constraints(formal, given, SUPERTYPE_OF)
    return next((each.target for each in constraints if each.type_var == variable.id), None)
