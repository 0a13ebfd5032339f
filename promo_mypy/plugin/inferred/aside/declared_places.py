"""Find what is declared where an error is: the parameter, variable, attribute, item or result that a value is for.

The types come from a check aside, where only somebody's annotation, or stock mypy itself, gives a target a dtype.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    Context,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    RefExpr,
    ReturnStmt,
    StarExpr,
    TupleExpr,
    Var,
    WithStmt,
    YieldExpr,
)
from mypy.subtypes import is_subtype
from mypy.types import AnyType, CallableType, FunctionLike, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import libraries
from promo_mypy.plugin.inferred.aside.stock_errors import StockCheck
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import defined_member, is_unannotated
from promo_mypy.plugin.types.walks import members

#: In place of the parameters of a function that the library declares without types: its signature is the plugin's.
UNDECLARED: Final = AnyType(TypeOfAny.special_form)
#: The errors about a whole call, not about one of its arguments.
_OF_CALLS: Final = frozenset({codes.CALL_OVERLOAD, codes.TYPE_VAR, codes.MISC})
#: The classes whose methods take the items that they hold.
_CONTAINERS: Final = ("builtins", "collections")


def declared_types(current: TypeChecker, check: StockCheck, error: ErrorInfo) -> Iterator[Type]:
    """The declared types around an error, from the outermost to the innermost."""
    functions: list[FuncItem] = []
    for node in check.nodes:
        if not _holds(node, error):
            continue
        match node:
            case ForStmt(body=body) | WithStmt(body=body) if _holds(body, error):
                continue
            case AssignmentStmt() | OperatorAssignmentStmt() | ForStmt() | WithStmt() | AssignmentExpr():
                yield from _of_binding(node, check)
            case ReturnStmt() | YieldExpr():
                signature = functions[-1].type if functions else None
                results = [signature.ret_type] if isinstance(signature, CallableType) else []
                yield from _deciding(results, node.expr, check)
            case FuncItem():
                functions.append(node)
                for argument in node.arguments:
                    typ, default = argument.variable.type, argument.initializer
                    yield from [typ] if typ is not None and default is not None and _holds(default, error) else ()
            case CallExpr():
                yield from _of_call(node, error, check, current)
            case IndexExpr(base=base) if not is_open(base, check) and not _ends_in(base, error):
                yield from _of_item(check.type_of(base))


def _deciding(declared: Iterable[Type], value: Expression | None, check: StockCheck) -> Iterator[Type]:
    """The declared types that decide about a value.

    A list of values that are Any to stock mypy fits `Sequence[int] | NDArray[np.float64]` whatever the dtypes are.
    """
    given = get_proper_type(check.type_of(value)) if value is not None else None
    for each in declared:
        others = [member for member in members(each) if not check.mentions_dtype(member)]
        if given is None or isinstance(given, AnyType) or not any(is_subtype(given, other) for other in others):
            yield each


def _of_binding(
    node: AssignmentStmt | OperatorAssignmentStmt | ForStmt | WithStmt | AssignmentExpr, check: StockCheck
) -> Iterator[Type]:
    """The declared types of the targets that a statement, or `x := y`, binds."""
    bound: Sequence[Expression | None] = ()
    match node:
        case AssignmentStmt(lvalues=targets, type=declared, rvalue=value):
            yield from _deciding([declared] if declared is not None else [], value, check)
            bound = targets
        case OperatorAssignmentStmt(lvalue=target) | ForStmt(index=target) | AssignmentExpr(target=target):
            bound = [target]
        case WithStmt(target=several):
            bound = several
    for each in bound:
        yield from _of_target(each, check) if each is not None else ()


def _holds(node: Context, error: ErrorInfo) -> bool:
    start, end = (node.line, node.column), (node.end_line or node.line, node.end_column or 0)
    return start <= (error.line, error.column) < end


def _ends_in(value: Expression, error: ErrorInfo) -> bool:
    """Whether an error is about a value or a part of it, not about something that begins with it."""
    return (error.end_line, error.end_column) <= (value.end_line or value.line, value.end_column or 0)


def _starts_at(value: Expression, error: ErrorInfo) -> bool:
    """Whether an error is about a value, not about a part of it."""
    return (value.line, value.column) == (error.line, error.column)


def is_open(target: Expression, check: StockCheck) -> bool:
    """Whether no annotation gives a target, or the owner of a method, its type."""
    match target:
        case NameExpr(node=Var() as variable):
            return is_unannotated(variable)
        case MemberExpr():
            attribute = _attribute(target, check)
            return attribute is not None and is_unannotated(attribute)
        case IndexExpr(base=inner) | StarExpr(expr=inner):
            return is_open(inner, check)
        case TupleExpr(items=items) | ListExpr(items=items):
            return all(is_open(each, check) for each in items)
        case _:
            return False


def _attribute(target: MemberExpr, check: StockCheck) -> Var | None:
    if isinstance(target.node, Var):
        return target.node
    owner = target.expr.node if isinstance(target.expr, NameExpr) else None
    member = defined_member(check.type_of(target.expr) or (owner.type if isinstance(owner, Var) else None), target.name)
    return member if isinstance(member, Var) else None


def _of_target(target: Expression, check: StockCheck) -> Iterator[Type]:
    if isinstance(target, TupleExpr | ListExpr):
        for each in target.items:
            yield from _of_target(each, check)
        return
    if is_open(target, check):
        return
    variable = target.node if isinstance(target, NameExpr) else None
    if isinstance(target, MemberExpr):
        variable = _attribute(target, check)
    if isinstance(target, IndexExpr):
        typ = check.type_of(target.base)
    else:
        typ = variable.type if isinstance(variable, Var) else check.type_of(target)
    yield from [typ] if typ is not None else ()


def _of_item(owner: Type | None) -> Iterator[Type]:
    """The types of the items of a container, and of the keys and items that a class of the program takes."""
    yield from [owner] if owner is not None else ()
    typ = get_proper_type(owner)
    if isinstance(typ, Instance) and not libraries.is_own(typ.type.module_name):
        for name in ("__getitem__", "__setitem__"):
            method = get_proper_type(symbol.type) if (symbol := typ.type.get(name)) is not None else None
            for item in method.items if isinstance(method, FunctionLike) else ():
                yield from item.arg_types[1:]


def _of_call(call: CallExpr, error: ErrorInfo, check: StockCheck, current: TypeChecker) -> Iterator[Type]:
    """The types of the parameter for the argument with the error, or of all for an error about the call."""
    place = next((each for each, value in enumerate(call.args) if _holds(value, error)), None)
    is_whole = error.code in _OF_CALLS and _starts_at(call, error)
    if place is None and not is_whole:
        return
    if isinstance(call.callee, MemberExpr) and is_open(call.callee.expr, check):
        owner = get_proper_type(check.type_of(call.callee.expr))
        if isinstance(owner, Instance) and owner.type.module_name in _CONTAINERS:
            return
    if place is not None and isinstance(given := call.args[place], RefExpr) and isinstance(given.node, FuncDef):
        yield from [given.node.type] if given.node.type is not None else ()  # it is called with another argument
    if _is_of_library(call.callee, check, current):
        return  # the rules know which dtypes it takes, better than its stubs
    function = _called(call.callee, error, check)
    is_about_value = place is None or _starts_at(call.args[place], error)
    if is_about_value and (function is None or any(map(_takes_anything, function.items))):
        yield UNDECLARED
    for item in function.items if function is not None else ():
        if place is None:
            yield from item.arg_types
        else:
            yield from _deciding(_formals(item, call, place), call.args[place], check)


def _is_of_library(callee: Expression, check: StockCheck, current: TypeChecker) -> bool:
    """Whether this is a function of an array library, or a method of a class of one.

    The owner of the method may be Any to stock mypy: then the class is the one that the plugin knows.
    """
    owner = get_proper_type(check.type_of(callee.expr)) if isinstance(callee, MemberExpr) else None
    if isinstance(callee, MemberExpr) and isinstance(owner, AnyType):
        owner = get_proper_type(current.lookup_type_or_none(callee.expr))
    name = owner.type.fullname if isinstance(owner, Instance) else getattr(callee, "fullname", "")
    return libraries.is_own(name)


def _called(callee: Expression, error: ErrorInfo, check: StockCheck) -> FunctionLike | None:
    """The function that is called, as it is declared; None if it is Any."""
    typ = get_proper_type(check.type_of(callee))
    if isinstance(callee, RefExpr) and (typ is None or error.code is codes.TYPE_VAR):
        declared = getattr(callee.node, "type", None)
        typ = get_proper_type(declared) if isinstance(declared, Type) else typ
    if isinstance(typ, Instance):
        symbol = typ.type.get("__call__")
        typ = get_proper_type(symbol.type) if symbol is not None else None
    return typ if isinstance(typ, FunctionLike) else None


def _takes_anything(function: CallableType) -> bool:
    """Whether a function takes any arguments: `**kwargs` of any type are the last parameter."""
    is_last = bool(function.arg_kinds) and function.arg_kinds[-1].is_star()
    return function.is_ellipsis_args or (is_last and isinstance(get_proper_type(function.arg_types[-1]), AnyType))


def _formals(function: CallableType, call: CallExpr, place: int) -> Iterator[Type]:
    name = call.arg_names[place]
    if name is not None:
        named = function.argument_by_name(name)
        yield from [named.typ] if named is not None else function.arg_types
    elif any(kind.is_star() for kind in call.arg_kinds[: place + 1]):
        yield from function.arg_types
    else:
        found = function.argument_by_position(place)
        yield from [found.typ] if found is not None else function.arg_types
