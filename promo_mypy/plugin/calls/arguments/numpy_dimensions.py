"""Find out from an expression whether its NumPy array has a dimension: most of NumPy's types have no rank."""

from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import get_proper_type

from promo_mypy.plugin.mypy_api import type_checker
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types.integer_types import is_int
from promo_mypy.rules.functions.numpy import dimensions

_DEEPEST: Final = 8
#: Operators whose result may have fewer dimensions than an operand.
_OTHERS: Final = frozenset({"@", "and", "or"})


def has_dimensions(expression: Expression, api: CheckerPluginInterface, steps: int = _DEEPEST) -> bool:
    """Whether an array has at least one dimension; False if it may have none."""
    if steps == 0:
        return False
    match expression:
        case CallExpr(callee=MemberExpr() as callee) if not callee.fullname.startswith("numpy."):
            return _of_method(expression, callee, api, steps - 1)
        case CallExpr(callee=RefExpr() as callee):
            return callee.fullname.startswith("numpy.") and _of_function(expression, callee, api, steps - 1)
        case MemberExpr(name="T" | "real" | "imag"):
            return has_dimensions(expression.expr, api, steps - 1)
        case OpExpr(op=op, left=left, right=right) if op not in _OTHERS:
            return has_dimensions(left, api, steps - 1) or has_dimensions(right, api, steps - 1)
        case UnaryExpr(op="-" | "+" | "~", expr=operand):
            return has_dimensions(operand, api, steps - 1)
        case IndexExpr(index=index):
            return any(map(_adds_or_keeps, index.items if isinstance(index, TupleExpr) else [index]))
        case NameExpr(node=Var() as variable):
            values = definitions(type_checker.tree(api)).values(variable) or ()
            return bool(values) and all(has_dimensions(value, api, steps - 1) for value in values)
        case _:
            return False


def _of_function(call: CallExpr, callee: RefExpr, api: CheckerPluginInterface, steps: int) -> bool:
    name, first = callee.fullname.rpartition(".")[2], call.args[0] if call.args else None
    if name in dimensions.DRAWN and ".random." in callee.fullname:
        return _is_drawn(call, name, api)
    if name in dimensions.DIMENSIONED:
        return True
    if first is None:
        return False
    if name in dimensions.SHAPED:
        return _is_shape(first, api)
    if name in dimensions.MAKING:
        return isinstance(first, ListExpr | TupleExpr) or has_dimensions(first, api, steps)
    return False


def _of_method(call: CallExpr, callee: MemberExpr, api: CheckerPluginInterface, steps: int) -> bool:
    if callee.name in dimensions.FLAT:
        return True
    if callee.name in dimensions.KEEPING:
        return has_dimensions(callee.expr, api, steps)
    if callee.name == "reshape":
        return bool(call.args) and _is_shape(call.args[0], api)
    return callee.name in dimensions.DRAWN and _is_drawn(call, callee.name, api)


def _is_drawn(call: CallExpr, name: str, api: CheckerPluginInterface) -> bool:
    """Whether random numbers get a size, or parameters that are sequences."""
    if any(isinstance(value, ListExpr | TupleExpr) and value.items for value in call.args):
        return True
    named = dict(zip(call.arg_names, call.args, strict=True))
    size = named.get("size") or (call.args[0] if name in dimensions.SIZED_FIRST and call.args else None)
    return size is not None and _is_shape(size, api)


def _is_shape(expression: Expression, api: CheckerPluginInterface) -> bool:
    """Whether this is a length, or a display of lengths: the shape of an array that has a dimension."""
    if isinstance(expression, ListExpr | TupleExpr):
        return bool(expression.items)
    typ = type_checker.expression_type(type_checker.checker(api), expression)
    return typ is not None and is_int(get_proper_type(typ))


def _adds_or_keeps(item: Expression) -> bool:
    return isinstance(item, SliceExpr) or (isinstance(item, NameExpr) and item.fullname == "builtins.None")
