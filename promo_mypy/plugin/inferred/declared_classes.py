"""Find the classes that a value may have by the declarations: mypy need not have checked the variables in it.

mypy checks a global variable before the functions that read it, and the number variables of a file before all others.
Where no class is declared for a value, the answer is None. A value that comes from the variable itself, as in
`x = x + 1`, adds no class: the other values of the variable have them.
"""

from collections.abc import Iterable, Sequence, Set
from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncBase,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)
from mypy.operators import op_methods, unary_op_methods
from mypy.types import AnyType, FunctionLike, Instance, TupleType, Type, UnionType, get_proper_type

from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.trees.rebindings import Rebindings, deciding
from promo_mypy.plugin.types.walks import opened

_NONE: Final[frozenset[Any]] = frozenset()


def methods(expression: Expression, known: Rebindings, seen: frozenset[Node] = _NONE) -> Sequence[Node] | None:
    """The functions or methods that a call, an index or an operator may call."""
    match expression:
        case CallExpr(callee=MemberExpr(node=None, expr=owner, name=name)):
            return members(owner, name, known, seen)
        case IndexExpr(base=owner):
            return members(owner, "__getitem__", known, seen)
        case OpExpr(op=op, left=owner) if op in op_methods:
            return members(owner, op_methods[op], known, seen)
        case UnaryExpr(op=op, expr=owner) if op in unary_op_methods:
            return members(owner, unary_op_methods[op], known, seen)
        case CallExpr(callee=RefExpr(node=function)) if function is not None:
            return [function]
        case _:
            return None


def members(owner: Expression, name: str, known: Rebindings, seen: frozenset[Node] = _NONE) -> Sequence[Node] | None:
    """The members of that name in the classes of an expression. mypy reports the classes without one."""
    classes = _classes_of(owner, known, seen)
    symbols = [cls.get(name) for cls in classes or ()]
    found = [symbol.node for symbol in symbols if symbol is not None and symbol.node is not None]
    return found if found or classes == _NONE else None


def results(function: Node | None) -> Sequence[Type] | None:
    """The declared results of a function, one for each overload; empty for a class, None if it is unannotated."""
    if isinstance(function, TypeInfo):
        return ()
    if isinstance(function, Var):  # an object that is called
        call = next((cls.get("__call__") for cls in classes_in(function.type) or ()), None)
        function = call.node if call is not None else None
    declared: Type | None = function.type if isinstance(function, FuncBase) else None
    if isinstance(function, Decorator) and is_own(function.fullname):
        declared = function.var.type  # mypy may not have checked a decorator of the user's own
    declared = get_proper_type(declared)
    return [item.ret_type for item in declared.items] if isinstance(declared, FunctionLike) else None


def declares_any(declared: Type | None) -> bool:
    """Whether a type is Any or unannotated, or has such a member or item."""
    typ = opened(declared)
    if isinstance(typ, UnionType | TupleType):
        return any(map(declares_any, typ.items))
    return typ is None or isinstance(typ, AnyType)


def fits_anywhere(value: Expression, known: Rebindings) -> bool:
    """Whether a class of a value inherits from Any: mypy accepts it for each type, and does not replace that type."""
    return any(cls.fallback_to_any for cls in _classes_of(value, known, _NONE) or ())


def classes_in(declared: Type | None) -> Set[TypeInfo] | None:
    """The classes of a declared type."""
    typ = get_proper_type(declared)
    match typ:
        case UnionType(items=items):
            return _all(map(classes_in, items))
        case TupleType(partial_fallback=fallback):
            return {fallback.type}
        case Instance(type=cls):
            return {cls}
        case _:
            return None


def _classes_of(value: Expression, known: Rebindings, seen: frozenset[Node]) -> Set[TypeInfo] | None:
    match value:
        case NameExpr(node=Var() as variable):
            return _classes_of_variable(variable, None, known, seen, value.line)
        case MemberExpr(expr=owner, name=name):
            found = members(owner, name, known, seen)
            return None if found is None else _all(_classes_of_attribute(each, name, known, seen) for each in found)
        case IndexExpr(base=TupleExpr(items=items) | ListExpr(items=items)):
            return _all(_classes_of(each, known, seen) for each in items)
        case CallExpr(callee=RefExpr(node=TypeInfo() as made)):
            return {made}
        case CallExpr() | IndexExpr() | OpExpr() | UnaryExpr():
            called = methods(value, known, seen)
            return None if called is None else _all(map(_classes_of_result, called))
        case _:
            return None


def _classes_of_attribute(attribute: Node, name: str, known: Rebindings, seen: frozenset[Node]) -> Set[TypeInfo] | None:
    if isinstance(attribute, Decorator) and attribute.func.is_property:
        return _classes_of_result(attribute.func)
    return _classes_of_variable(attribute, name, known, seen) if isinstance(attribute, Var) else None


def _classes_of_result(function: Node) -> Set[TypeInfo] | None:
    declared = results(function)
    return _all(map(classes_in, declared)) if declared else None


def _classes_of_variable(
    variable: Var, member: str | None, known: Rebindings, seen: frozenset[Node], line: int | None = None
) -> Set[TypeInfo] | None:
    """The classes of the values of a variable that has no type yet. `member`: its name if it is an attribute.

    `line`: where a variable that is no attribute is read.
    """
    if variable.type is not None:
        return classes_in(variable.type)
    if variable in seen:
        return _NONE
    bound = known.values.get(variable, ())
    own = bound if line is None else deciding(bound, line)
    values = [*own, *(known.members.get(member, ()) if member is not None else ())]
    if not values or variable in known.iterated or variable in known.unlisted or variable in known.added:
        return None
    return _all(None if each is None else _classes_of(each, known, seen | {variable}) for each in values)


def _all(found: Iterable[Set[TypeInfo] | None]) -> Set[TypeInfo] | None:
    """The classes in all of some sets; None if one is None."""
    classes: set[TypeInfo] = set()
    for each in found:
        if each is None:
            return None
        classes |= each
    return classes
