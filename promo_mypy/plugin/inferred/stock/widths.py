"""Find out for which operations of NumPy's arrays stock mypy infers no width.

For the product of two float32 arrays the stubs declare `floating` of any width.
"""

from collections.abc import Callable, Sequence
from typing import Final

from mypy.nodes import Expression, NameExpr, OpExpr, Var
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.types.numpy_scalars import holds_ints_or_bools, scalar_of_array
from promo_mypy.plugin.types.value_marks import is_marked
from promo_mypy.rules.functions.numpy.forms import KEEPING_OPERATIONS
from promo_mypy.rules.operators import OPERATORS

#: The operators for which the stubs keep the dtype and shape of an array if the other operand is an int or bool.
KEEPING_SYMBOLS: Final = frozenset(
    operator.symbol for operator in OPERATORS.values() if operator.operation in KEEPING_OPERATIONS
)
_WITHOUT_WIDTH: Final = frozenset({names.NUMPY_BOOL, names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128})
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "//", "%", "**"})
_WIDE: Final = frozenset({"builtins.float", "builtins.complex"})
_NUMBERS: Final = _WIDE | {"builtins.int", "builtins.bool"}


def has_no_width(operation: OpExpr, type_of: TypeOf) -> bool:
    """Whether NumPy's stubs declare only `floating` or similar for an operation, or another dtype than the plugin.

    They keep the dtype of an array with ints and bools, and have exact types for results of 64 bits.
    """
    if operation.op in ("and", "or") or _is_named(type_of(operation)):
        return False
    operands = (type_of(operation.left), type_of(operation.right))
    keeps = any(typ is not None and holds_ints_or_bools(typ) for typ in operands)
    return operation.op not in KEEPING_SYMBOLS or not keeps


def is_of_number(array: Expression, values_of: Callable[[Var], Sequence[Expression]], type_of: TypeOf) -> bool:
    """Whether stock mypy infers float64 or complex128 for what is computed of an array of any dtype and a number.

    `values_of`: the values of a variable.
    """
    variable = array.node if isinstance(array, NameExpr) else None
    values = values_of(variable) if isinstance(variable, Var) else (array,)
    last = [each for each in values if each.line < array.line][-1:] or values  # in a loop it may be any of them
    return bool(last) and all(isinstance(each, OpExpr) and _has_number(each, type_of) for each in last)


def _has_number(operation: OpExpr, type_of: TypeOf) -> bool:
    if operation.op not in _ARITHMETIC:
        return False
    array, number = type_of(operation.left), get_proper_type(type_of(operation.right))
    if scalar_of_array(array) is None:
        array, number = type_of(operation.right), get_proper_type(type_of(operation.left))
    if scalar_of_array(array) is None or is_marked(array) or not isinstance(number, Instance):
        return False
    return number.type.fullname in (_WIDE if operation.op != "/" else _NUMBERS)


def _is_named(typ: Type | None) -> bool:
    """Whether this is not a NumPy array, or one of a dtype whose class has no width in the stubs."""
    scalar = scalar_of_array(typ)
    return scalar is None or (isinstance(scalar, Instance) and scalar.type.fullname in _WITHOUT_WIDTH)
