"""Find the targets of assignments, and the values that go into them."""

from collections.abc import Iterator, Sequence
from functools import partial

from mypy.checker import TypeChecker
from mypy.nodes import (
    Argument,
    AssignmentExpr,
    AssignmentStmt,
    Expression,
    ForStmt,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    TupleExpr,
    Var,
    WithStmt,
)
from mypy.types import FunctionLike, Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin.mypy_api.compared.comparisons import Compared, known, type_of
from promo_mypy.plugin.mypy_api.symbols import is_inferred
from promo_mypy.rules.wording import mismatches as subjects


def assignments(current: TypeChecker, node: Node, parents: Sequence[Node]) -> Iterator[Compared]:
    """A target or value of an assignment, or what stands in its place: a default, a loop, a context manager."""
    parent = parents[-1] if parents else None
    if isinstance(node, OperatorAssignmentStmt):
        for made in _made_operations(current, node):
            yield from _stored(current, node.lvalue, made, current.lookup_type_or_none(made))
    elif isinstance(node, ForStmt):
        yield from _stored(current, node.index, node.expr, node.inferred_item_type)
    elif isinstance(node, Expression):
        yield from _in_statement(current, node, parent)
        if isinstance(parent, TupleExpr | ListExpr):
            yield from _unpacked(current, node, parent.items, parents[:-1])


def _in_statement(current: TypeChecker, node: Expression, parent: Node | None) -> Iterator[Compared]:
    match parent:
        case AssignmentStmt(lvalues=targets, rvalue=value) if node is value or node in targets:
            for target in targets if node is value else [node]:
                yield from _stored(current, target, value, type_of(current, value))
        case Argument(variable=parameter, initializer=value) if value is node and parameter.type is not None:
            yield from known(current, subjects.default(parameter.name), node, parameter.type)
        case AssignmentExpr(value=value) if value is node:
            yield from _stored(current, parent.target, value, type_of(current, value))
        case WithStmt(expr=managers, target=names):
            for manager, name in zip(managers, names, strict=True):
                if name is not None and node in (manager, name):
                    yield from _stored(current, name, manager, _entered(current, manager))
        case _:
            return


def _unpacked(
    current: TypeChecker, node: Expression, items: Sequence[Expression], parents: Sequence[Node]
) -> Iterator[Compared]:
    """A target or a value of `a, b = v, w`."""
    statement = parents[-1] if parents else None
    if not isinstance(statement, AssignmentStmt):
        return
    place, value = items.index(node), statement.rvalue
    for target in statement.lvalues:
        if isinstance(target, TupleExpr | ListExpr) and len(target.items) == len(items):
            values = value.items if isinstance(value, TupleExpr | ListExpr) else [value] * len(items)
            whole = get_proper_type(type_of(current, value))
            given = whole.items[place] if isinstance(whole, TupleType) and len(whole.items) == len(items) else None
            if len(values) == len(items):
                yield from _stored(current, target.items[place], values[place], given)


def _stored(current: TypeChecker, target: Expression, value: Expression, given: Type | None) -> Iterator[Compared]:
    """A value that goes into a target: with the type of the target, and with those that base classes declare."""
    match target:
        case IndexExpr():
            method = get_proper_type(target.method_type)
            signatures = method.items if isinstance(method, FunctionLike) else []
            places = [each.arg_types[-1] for each in signatures if each.arg_types]
        case TupleExpr(items=targets) | ListExpr(items=targets) if given is not None:
            for each, item in zip(targets, _items_of(current, given, value, len(targets)), strict=False):
                yield from _stored(current, each, value, item)
            return
        case _:
            stored = current.lookup_type_or_none(target) if not is_inferred(target, partial(type_of, current)) else None
            places = [stored] if stored is not None else []
    declared = places[0] if places else None
    if given is not None:
        yield from (Compared(subjects.ASSIGNED, value, given, place) for place in places)
    for inherited in _inherited(target):
        for own in (given, declared):
            if own is not None:
                yield Compared(subjects.ASSIGNED, value, own, inherited)


def _entered(current: TypeChecker, manager: Expression) -> Type | None:
    """What a context manager gives."""
    typ = type_of(current, manager)
    if typ is None:
        return None
    with current.msg.filter_errors():
        return current.expr_checker.check_method_call_by_name("__enter__", typ, [], [], manager)[0]


def _items_of(current: TypeChecker, whole: Type, value: Expression, count: int) -> Sequence[Type]:
    """The types of the items that a value is unpacked into."""
    proper = get_proper_type(whole)
    if isinstance(proper, TupleType):
        return proper.items if len(proper.items) == count else ()
    with current.msg.filter_errors():
        return [current.iterable_item_type(proper, value)] * count if isinstance(proper, Instance) else ()


def _inherited(target: Expression) -> Iterator[Type]:
    """The types that base classes declare for an attribute."""
    variable = target.node if isinstance(target, NameExpr | MemberExpr) else None
    if not isinstance(variable, Var) or not variable.info:
        return
    for base in variable.info.mro[1:]:
        symbol = base.names.get(variable.name)
        if symbol is not None and symbol.type is not None:
            yield symbol.type


def _made_operations(current: TypeChecker, statement: OperatorAssignmentStmt) -> Iterator[Expression]:
    """The operation `x + y` that mypy makes for `x += y`: it is in no tree."""
    for types in reversed(current._type_maps):
        for node in reversed(types):
            if isinstance(node, OpExpr) and node.left is statement.lvalue and node.right is statement.rvalue:
                yield node
                return
