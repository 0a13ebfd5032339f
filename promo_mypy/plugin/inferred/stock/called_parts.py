"""Find which parts of the result of a call are Any to stock mypy, by what the function declares for its arguments."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, LambdaExpr, MemberExpr, RefExpr, Var
from mypy.types import CallableType, Type, TypeVarId, get_proper_type

from promo_mypy.plugin.types.any_parts import Items, Parts, joined, of_type, solve

#: Built-ins whose results have the items of their argument.
_SAME_ITEMS: Final = frozenset(
    f"builtins.{name}" for name in ("frozenset", "iter", "list", "reversed", "set", "sorted", "tuple")
)
#: Those that return an item of their argument, or a sum of the items.
_AN_ITEM: Final = frozenset(f"builtins.{name}" for name in ("max", "min", "next", "sum"))
#: Those that call another argument, `key`, with the items.
_WITH_KEY: Final = frozenset(f"builtins.{name}" for name in ("max", "min", "sorted"))
#: Methods of containers that return an item, and those that return the same items.
_TAKING: Final = frozenset({"pop", "popleft", "setdefault"})
_KEEPING: Final = frozenset({"copy", "values"})


#: The parts of the parameters and loop variables of the expression around a call.
Known = Mapping[Var, Parts]


class Reader(Protocol):
    """Finds the parts of a value, and those of the items that a function gets from an iterable."""

    def of(self, value: Expression, inside: Known) -> Parts:
        """The parts of a value."""

    def listed(self, iterable: Expression, inside: Known) -> Parts:
        """The parts of the items."""


def of_call(call: CallExpr, inside: Known, known: Reader) -> Parts:
    """The parts of the result of a call."""
    given = call.args
    match call.callee:
        case RefExpr(fullname=name) if name in _SAME_ITEMS and given:
            return Items(known.listed(given[0], inside))
        case RefExpr(fullname=name) if name in _AN_ITEM and given:
            return (
                known.listed(given[0], inside) if len(given) == 1 else joined(known.of(each, inside) for each in given)
            )
        case RefExpr(fullname="itertools.chain"):
            return Items(joined(known.listed(each, inside) for each in given))
        case RefExpr(fullname="builtins.enumerate") if given:
            return Items((False, known.listed(given[0], inside)))
        case RefExpr(fullname="builtins.zip"):
            return Items(tuple(known.listed(each, inside) for each in given))
        case RefExpr(fullname="builtins.map") if given:
            items = [known.listed(each, inside) for each in given[1:]]
            return Items(_result(given[0], items, inside, known))
        case RefExpr(fullname="functools.reduce") if len(given) > 1:
            items = _reduced(given, inside, known)
            return joined([*items, _result(given[0], [joined(items)] * 2, inside, known)])
        case RefExpr(fullname="builtins.dict") if given and all(call.arg_names):
            return Items(joined(known.of(each, inside) for each in given))
        case MemberExpr(expr=owner, name=name) if call.callee.node is None:
            return _of_method(known.of(owner, inside), name)
        case LambdaExpr():
            return _result(call.callee, [known.of(each, inside) for each in given], inside, known)
        case RefExpr(node=FuncDef() | Decorator() as function):
            return _of_function(function, call, inside, known)
        case _:
            return False


def of_parameters(call: CallExpr, inside: Known, known: Reader) -> Known:
    """The parts of the parameters of a lambda that is called, or given to a built-in that calls it."""
    given = call.args
    match call.callee, given:
        case LambdaExpr() as function, _:
            return _named(function, [known.of(each, inside) for each in given])
        case RefExpr(fullname="builtins.map" | "builtins.filter"), [LambdaExpr() as function, *iterables]:
            return _named(function, [known.listed(each, inside) for each in iterables])
        case RefExpr(fullname="functools.reduce"), [LambdaExpr() as function, _, *_]:
            return _named(function, [joined(_reduced(given, inside, known))] * 2)
        case RefExpr(fullname=name), [iterable, LambdaExpr() as function] if name in _WITH_KEY:
            return _named(function, [known.listed(iterable, inside)])
        case _:
            return {}


def _named(function: LambdaExpr, given: Sequence[Parts]) -> Known:
    return dict(zip((each.variable for each in function.arguments), given, strict=False))


def _reduced(given: Sequence[Expression], inside: Known, known: Reader) -> list[Parts]:
    return [known.listed(given[1], inside), *(known.of(each, inside) for each in given[2:])]


def _of_method(owner: Parts, name: str) -> Parts:
    if owner is True or not isinstance(owner, Items):
        return owner is True
    if name in _TAKING:
        return owner.item
    if name == "items":
        return Items((False, owner.item))
    return owner if name in _KEEPING else False


def _of_function(function: FuncDef | Decorator, call: CallExpr, inside: Known, known: Reader) -> Parts:
    """The parts of the result, as a function declares it for these arguments."""
    declared = declared_type(function)
    if declared is None:
        return False
    solved: dict[TypeVarId, Parts] = {}
    later: list[tuple[CallableType, Expression]] = []
    for position, (value, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
        formal = declared.argument_by_name(name) if name is not None else declared.argument_by_position(position)
        typ = get_proper_type(formal.typ) if formal is not None else None
        if isinstance(typ, CallableType):
            later.append((typ, value))
        elif typ is not None and declared.variables:
            solve(typ, known.of(value, inside), solved)
    for typ, value in later:  # mypy infers from functions only what the other arguments leave open
        result = _result(value, [of_type(each, solved) for each in typ.arg_types], inside, known)
        found: dict[TypeVarId, Parts] = {}
        solve(typ.ret_type, result, found)
        solved = {**found, **solved}
    return of_type(declared.ret_type, solved)


def _result(function: Expression, given: Sequence[Parts], inside: Known, known: Reader) -> Parts:
    """The parts of what a function returns for arguments with these parts."""
    match function:
        case LambdaExpr():
            return known.of(function.expr(), {**inside, **_named(function, given)})
        case RefExpr(node=FuncDef() | Decorator() as named):
            declared = declared_type(named)
            return declared is None or of_type(declared.ret_type, {})
        case _:
            return False


def declared_type(function: FuncDef | Decorator) -> CallableType | None:
    """The declared type of a function; None without annotations."""
    typ: Type | None = function.type if isinstance(function, FuncDef) else function.var.type
    proper = get_proper_type(typ)
    return proper if isinstance(proper, CallableType) else None
