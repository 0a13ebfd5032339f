"""Find out what may be among the values of a variable: calls, numbers, `None` and containers."""

from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ConditionalExpr,
    Expression,
    FakeInfo,
    FloatExpr,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    Var,
)
from mypy.subtypes import is_same_type
from mypy.types import Type

from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.symbols import is_declared
from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.rebindings import Rebindings

#: Most expressions, of which no part is the value.
_WHOLE: Final = (CallExpr, NameExpr, MemberExpr, IntExpr, FloatExpr, StrExpr)


def all_declared(variable: Var, known: Rebindings) -> bool:
    """Whether all that a variable is bound to are variables that are declared with its type."""
    other_ways = (known.unlisted, known.iterated, known.captured, known.added, known.exchanges)
    if variable.type is None or any(variable in way for way in other_ways):
        return False
    values: list[Expression | None] = [*known.values.get(variable, ())]
    if not isinstance(variable.info, FakeInfo):  # other classes bind an attribute, too
        values += known.members.get(variable.name, ())
    return bool(values) and all(_is_declared_as(variable.type, value) for value in values)


def _is_declared_as(typ: Type, value: Expression | None) -> bool:
    node = value.node if isinstance(value, NameExpr) else None
    return isinstance(node, Var) and is_declared(node) and node.type is not None and is_same_type(node.type, typ)


def may_be_none(value: Expression) -> bool:
    """Whether an expression, or an item that it is unpacked to, may be a written `None`."""
    if type(value) in _WHOLE:
        return is_none(value)
    match value:
        case ConditionalExpr(if_expr=one, else_expr=other) | OpExpr(op="and" | "or", left=one, right=other):
            return may_be_none(one) or may_be_none(other)
        case TupleExpr(items=items) | ListExpr(items=items):
            return any(map(may_be_none, items))
        case AssignmentExpr(value=assigned) | StarExpr(expr=assigned):
            return may_be_none(assigned)
        case IndexExpr(base=base):  # see `evaluate_first`
            return may_be_none(base)
        case _:
            return is_none(value)


def may_be_container(value: Expression) -> bool:
    """Whether an expression may be a list or dict of arrays: libraries return arrays, most of the time."""
    if isinstance(value, ConditionalExpr):
        return any(map(may_be_container, (value.if_expr, value.else_expr)))
    is_array = isinstance(value, CallExpr) and isinstance(value.callee, RefExpr) and is_own(value.callee.fullname)
    return not is_array and not is_none(value)
