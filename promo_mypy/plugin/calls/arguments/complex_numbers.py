"""Find complex Python numbers that may have no imaginary part: PyTorch stores and compares them as real numbers."""

from mypy.nodes import ComplexExpr, Expression, FloatExpr, IntExpr, OpExpr, UnaryExpr
from mypy.types import Instance, get_proper_type

from promo_mypy.plugin.mypy_api.arguments import Argument


def may_be_real(argument: Argument) -> bool:
    """Whether an argument is a complex number whose imaginary part may be zero: `z`, but not `2 - 1j`."""
    typ = get_proper_type(argument.type)
    is_complex = isinstance(typ, Instance) and typ.type.fullname == "builtins.complex"
    return is_complex and not _has_imaginary_part(argument.expression)


def _has_imaginary_part(number: Expression) -> bool:
    match number:
        case ComplexExpr(value=value):
            return value.imag != 0
        case UnaryExpr(op="-" | "+", expr=operand):
            return _has_imaginary_part(operand)
        case OpExpr(op="+" | "-", left=IntExpr() | FloatExpr(), right=right):
            return _has_imaginary_part(right)
        case _:
            return False
