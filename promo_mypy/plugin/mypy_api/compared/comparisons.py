"""A value that meets a declared type, and the types of expressions while mypy checks them."""

from collections.abc import Iterator, Sequence
from functools import partial

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    Node,
    OperatorAssignmentStmt,
    Statement,
)
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin.mypy_api.symbols import CONTAINERS, is_inferred
from promo_mypy.rules.records import record


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


def fills_inferred(current: TypeChecker, node: Node, parents: Sequence[Node]) -> bool:
    """Whether a node goes into a container whose type is inferred: `d["a"] = x`, `xs.append(x)` and `xs += [x]`."""
    known_type = partial(type_of, current)
    around = (each for each in reversed((*parents, node)) if isinstance(each, Statement | CallExpr))
    match next((each for each in around if each is not node or isinstance(each, Statement)), None):
        case AssignmentStmt(lvalues=targets):
            return all(isinstance(each, IndexExpr) and is_inferred(each, known_type) for each in targets)
        case OperatorAssignmentStmt(lvalue=target):
            return is_inferred(target, known_type)
        case CallExpr(callee=MemberExpr(expr=owner)):
            typ = get_proper_type(type_of(current, owner))
            is_container = isinstance(typ, Instance) and typ.type.module_name in CONTAINERS
            return is_container and is_inferred(owner, known_type)
        case _:
            return False
