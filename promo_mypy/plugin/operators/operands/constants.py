"""Compute the values of constant expressions beside an array: `x + (1 << 32)`. Their types do not show the values."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Expression, OperatorAssignmentStmt, OpExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, LiteralType, Type, get_proper_type

from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.type_checker import folded, tree
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.constant_values import constant_of

_NUMBERS: Final = {"builtins.int": int, "builtins.float": float, "builtins.complex": complex}


def with_constants(operation: Operation, session: Session, api: CheckerPluginInterface) -> Operation:
    """The operation with the values of constant operands in their types.

    The value of a float or complex number is its magnitude, and only where dtypes depend on values.
    """
    if len(operation.others) != 1:
        return operation
    receiver, other = operation.receiver, operation.others[0]
    first, second = _number(receiver), _number(other)
    expressions = () if first is None and second is None else _expressions(operation)
    if not expressions:
        return operation
    if first is not None:
        receiver = _with_value(receiver, expressions[0], session, api)
    if second is not None:
        other = _with_value(other, expressions[1], session, api)
    return Operation(operation.operator, receiver, [other], operation.context)


def may_have_values(operation: Operation, session: Session, api: CheckerPluginInterface) -> bool:
    """Whether the values of constants in the expression, which the types of its operands do not show, may decide."""
    if len(operation.others) != 1:
        return False
    numbers = _number(operation.receiver), _number(operation.others[0])
    if numbers == (None, None):
        return False
    return int in numbers or bool(session.system(Library.NUMPY, api).examples)


def _number(typ: Type) -> type[int | float | complex] | None:
    """The class of a number whose type does not show its value."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or proper.last_known_value is not None:
        return None
    return _NUMBERS.get(proper.type.fullname)


def _expressions(operation: Operation) -> Sequence[Expression]:
    """The receiver and the other operand in the source."""
    match operation.context:
        case OpExpr(left=left, right=right):
            return (right, left) if operation.operator.kind == "reflected" else (left, right)
        case OperatorAssignmentStmt(lvalue=left, rvalue=right):
            return (left, right)
        case _:
            return ()


def _with_value(typ: Type, expression: Expression, session: Session, api: CheckerPluginInterface) -> Type:
    """The type of a number with its value, if that is a constant."""
    number, proper = _number(typ), get_proper_type(typ)
    if number is not int and not session.system(Library.NUMPY, api).examples:
        return typ
    value = folded(api, expression)
    if value is None:
        value = constant_of(expression, tree(api))
    if not isinstance(proper, Instance) or not isinstance(value, int | float | complex) or type(value) is not number:
        return typ
    decisive = value if isinstance(value, int) else max(abs(value.real), abs(value.imag))
    return proper.copy_modified(last_known_value=LiteralType(decisive, proper))
