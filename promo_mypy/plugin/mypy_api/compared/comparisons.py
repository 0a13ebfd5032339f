"""A value that meets a declared type, and the types of expressions while mypy checks them."""

from collections.abc import Iterator

from mypy.checker import TypeChecker
from mypy.nodes import Expression, Node
from mypy.types import Type

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
