"""A value that meets a declared type, and the types of expressions while mypy checks them."""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Statement,
    Var,
)
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_unannotated
from promo_mypy.rules.records import record

#: The packages of containers whose methods take the items that they hold.
_OF_CONTAINERS: Final = ("builtins", "collections")


@record
class Compared:
    """A value that meets a declared type.

    Attributes:
        subject: the value in words.
        value: its expression.
        given: its type.
        declared: the type that is declared where it goes.
    """

    subject: str
    value: Expression
    given: Type
    declared: Type


def type_of(current: TypeChecker, node: Expression) -> Type | None:
    """The type of an expression. mypy drops that of a callee, and those of what it checks in two contexts."""
    known = current.lookup_type_or_none(node)
    if known is not None:
        return known
    with current.msg.filter_errors(), current.local_type_map:
        return current.expr_checker.accept(node)


def known(current: TypeChecker, subject: str, value: Node, declared: Type) -> Iterator[Compared]:
    """The comparison of an expression whose type is known."""
    given = type_of(current, value) if isinstance(value, Expression) else None
    if given is not None and isinstance(value, Expression):
        yield Compared(subject, value, given, declared)


def is_inferred(current: TypeChecker, target: Expression) -> bool:
    """Whether no annotation declares a variable or attribute, or the container of an item: the first value gives it."""
    match target:
        case NameExpr(node=Var() as variable):
            return is_unannotated(variable)
        case MemberExpr(expr=owner, name=name):
            attribute = attribute_of(type_of(current, owner), name)
            return attribute is not None and is_unannotated(attribute)
        case IndexExpr(base=container):
            return is_inferred(current, container)
        case _:
            return False


def fills_inferred(current: TypeChecker, node: Node, parents: Sequence[Node]) -> bool:
    """Whether a node goes into a container whose type is inferred: `d["a"] = x`, `xs.append(x)` and `xs += [x]`."""
    around = (each for each in reversed((*parents, node)) if isinstance(each, Statement | CallExpr))
    match next((each for each in around if each is not node or isinstance(each, Statement)), None):
        case AssignmentStmt(lvalues=targets):
            return all(isinstance(each, IndexExpr) and is_inferred(current, each) for each in targets)
        case OperatorAssignmentStmt(lvalue=target):
            return is_inferred(current, target)
        case CallExpr(callee=MemberExpr(expr=owner)):
            typ = get_proper_type(type_of(current, owner))
            is_container = isinstance(typ, Instance) and typ.type.module_name in _OF_CONTAINERS
            return is_container and is_inferred(current, owner)
        case _:
            return False
