"""Find what is declared where an error is: the parameter, variable, attribute, item or result that a value is for.

The types come from a check aside, where only somebody's annotation, or stock mypy itself, gives a target a dtype.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
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
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    ReturnStmt,
    TupleExpr,
    Var,
    WithStmt,
    YieldExpr,
)
from mypy.subtypes import is_subtype
from mypy.typeops import bind_self
from mypy.types import AnyType, CallableType, FunctionLike, Instance, Type, TypeVarType, get_proper_type, has_type_vars

from promo_mypy.plugin import libraries, names
from promo_mypy.plugin.inferred.aside.stock_errors import StockCheck
from promo_mypy.plugin.mypy_api.arguments import formals
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import CONTAINERS, bound_attribute, is_inferred
from promo_mypy.plugin.types.walks import members

#: The errors about a whole call, not about one of its arguments.
_OF_CALLS: Final = frozenset({codes.CALL_OVERLOAD, codes.TYPE_VAR, codes.MISC})
#: The errors about an item that is looked up or stored.
_OF_ITEMS: Final = frozenset({codes.INDEX, codes.CALL_OVERLOAD, codes.OPERATOR})


def declared_types(current: TypeChecker, check: StockCheck, error: ErrorInfo) -> Sequence[Type]:
    """The declared types that decide about a value where an error is: those of the innermost place that has some.

    Where a type variable is declared, the place around it gives it a type.
    """
    found: list[Sequence[Type]] = []
    functions: list[FuncItem] = []
    for node in check.nodes:
        if not _holds(node, error):
            continue
        if isinstance(node, FuncItem):
            functions.append(node)
        around = _around(node, functions, error, check, current)
        found += [list(around)] if around is not None else []
    # Only an error about a type variable itself says what it stands for.
    is_open = error.code is codes.TYPE_VAR
    for types in reversed(found):
        inner = [each for each in types if is_open or not _is_variable(each)]
        if any(map(check.mentions_dtype, inner)) or not any(map(has_type_vars, types)):
            return inner
    return ()


def _is_variable(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), TypeVarType)


def _around(
    node: Node, functions: Sequence[FuncItem], error: ErrorInfo, check: StockCheck, current: TypeChecker
) -> Iterable[Type] | None:
    """The declared types at a node; None if it declares nothing about the place of the error in it."""
    match node:
        case ForStmt(body=body) | WithStmt(body=body) if _holds(body, error):
            return None
        case AssignmentStmt() | OperatorAssignmentStmt() | ForStmt() | WithStmt() | AssignmentExpr():
            return _of_binding(node, check)
        case ReturnStmt() | YieldExpr():
            signature = functions[-1].type if functions else None
            if not isinstance(signature, CallableType):
                return None  # a lambda has the type of its place
            return _deciding([signature.ret_type], node.expr, check)
        case FuncItem(arguments=arguments):
            given = [each for each in arguments if each.initializer is not None and _holds(each.initializer, error)]
            return [each.variable.type for each in given if each.variable.type is not None] if given else None
        case CallExpr():
            return _of_call(node, error, check, current)
        case IndexExpr(base=base) if _is_about_item(node, error):
            if is_inferred(base, check.type_of):
                return ()
            owner = check.type_of(base)
            return _keys_of(owner, node, check) if error.code is codes.INDEX else _of_item(owner)
        case _:
            return None


def _is_about_item(item: IndexExpr, error: ErrorInfo) -> bool:
    """Whether an error is about an index, or about a value that is looked up or stored, not where the item is used."""
    if _ends_in(item.base, error):
        return False
    return error.code in _OF_ITEMS or (error.line, error.column) != (item.line, item.column)


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


def _of_target(target: Expression, check: StockCheck) -> Iterator[Type]:
    if isinstance(target, TupleExpr | ListExpr):
        for each in target.items:
            yield from _of_target(each, check)
        return
    if is_inferred(target, check.type_of):
        return
    variable = target.node if isinstance(target, NameExpr) else None
    if isinstance(target, MemberExpr):
        variable = bound_attribute(target, check.type_of)
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
            for item in _bound_method(typ, name):
                yield from item.arg_types


def _keys_of(owner: Type | None, item: IndexExpr, check: StockCheck) -> Iterator[Type]:
    """The types of the keys with which an item is looked up or stored."""
    typ = get_proper_type(owner)
    is_stored = any(isinstance(each, AssignmentStmt) and item in each.lvalues for each in check.nodes)
    for each in _bound_method(typ, "__setitem__" if is_stored else "__getitem__") if isinstance(typ, Instance) else ():
        yield from each.arg_types[:1]


def _bound_method(owner: Instance, name: str) -> Sequence[CallableType]:
    """The signatures of a method of an object, without the object."""
    definer = next((each for each in owner.type.mro if name in each.names), None)
    method = get_proper_type(definer.names[name].type) if definer is not None else None
    if definer is None or not isinstance(method, FunctionLike):
        return ()
    seen = map_instance_to_supertype(owner, definer)
    return [expand_type_by_instance(each, seen) for each in bind_self(method, owner).items]


def _of_call(call: CallExpr, error: ErrorInfo, check: StockCheck, current: TypeChecker) -> Sequence[Type] | None:
    """The types of the parameter for the argument with the error, or of all for an error about the call."""
    place = next((each for each, value in enumerate(call.args) if _holds(value, error)), None)
    if place is None and not (error.code in _OF_CALLS and _starts_at(call, error)):
        return None
    if isinstance(call.callee, MemberExpr) and is_inferred(call.callee.expr, check.type_of):
        owner = get_proper_type(check.type_of(call.callee.expr))
        if isinstance(owner, Instance) and owner.type.module_name in CONTAINERS:
            return ()
    passed = call.args[place] if place is not None else None
    if isinstance(passed, RefExpr) and isinstance(passed.node, FuncDef) and passed.node.type is not None:
        return [passed.node.type]  # it is called with another argument
    if _is_of_library(call.callee, check, current):
        # The rules know which dtypes it takes, better than its stubs. An error about the whole may be about its result.
        return () if passed is not None else None
    signatures = _called(call.callee, error, check.type_of)
    if not signatures or any(map(_takes_anything, signatures)):  # the library declares it without types
        signatures = _called(call.callee, error, current.lookup_type_or_none)
    if place is None or passed is None:
        return [each for item in signatures for each in item.arg_types]
    return [each for item in signatures for each in _deciding(formals(item, call, place), passed, check)]


def _is_of_library(callee: Expression, check: StockCheck, current: TypeChecker) -> bool:
    """Whether this is a function of an array library, or a method of a class of one.

    The owner of the method may be Any to stock mypy: then the class is the one that the plugin knows.
    """
    owner = get_proper_type(check.type_of(callee.expr)) if isinstance(callee, MemberExpr) else None
    if isinstance(callee, MemberExpr) and isinstance(owner, AnyType):
        owner = get_proper_type(current.lookup_type_or_none(callee.expr))
    name = owner.type.fullname if isinstance(owner, Instance) else getattr(callee, "fullname", "")
    return libraries.is_own(name)


def _called(
    callee: Expression, error: ErrorInfo, type_of: Callable[[Expression], Type | None]
) -> Sequence[CallableType]:
    """The signatures of the function that is called, as it is declared; none if it is Any."""
    typ = get_proper_type(type_of(callee))
    if isinstance(callee, RefExpr) and (typ is None or error.code is codes.TYPE_VAR):
        declared = getattr(callee.node, "type", None)
        typ = get_proper_type(declared) if isinstance(declared, Type) else typ
    if isinstance(typ, Instance):
        return _bound_method(typ, "forward" if typ.type.has_base(names.TORCH_MODULE) else "__call__")
    return typ.items if isinstance(typ, FunctionLike) else ()


def _takes_anything(function: CallableType) -> bool:
    """Whether a function takes any arguments: `**kwargs` of any type are the last parameter."""
    is_last = bool(function.arg_kinds) and function.arg_kinds[-1].is_star()
    return function.is_ellipsis_args or (is_last and isinstance(get_proper_type(function.arg_types[-1]), AnyType))
