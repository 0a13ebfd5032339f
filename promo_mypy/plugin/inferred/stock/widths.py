"""Find out for which operations of NumPy's arrays stock mypy infers no width, or no shape.

For the product of two float32 arrays the stubs declare `floating` of any width.
"""

from typing import Final

from mypy.nodes import Expression, OpExpr
from mypy.types import Instance, Type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.types.numpy_scalars import holds_ints_or_bools, scalar_of_array
from promo_mypy.rules.functions.numpy.forms import KEEPING_OPERATIONS
from promo_mypy.rules.operators import OPERATORS

_KEEPING_SYMBOLS: Final = frozenset(
    operator.symbol for operator in OPERATORS.values() if operator.operation in KEEPING_OPERATIONS
)
_WITHOUT_WIDTH: Final = frozenset({names.NUMPY_BOOL, names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128})


def has_no_width(operation: OpExpr, type_of: TypeOf) -> bool:
    """Whether NumPy's stubs declare only `floating` or similar for an operation, or another dtype than the plugin.

    They keep the dtype of an array with ints and bools, and have exact types for results of 64 bits.
    """
    if operation.op in ("and", "or") or _is_named(type_of(operation)):
        return False
    operands = (type_of(operation.left), type_of(operation.right))
    keeps = any(typ is not None and holds_ints_or_bools(typ) for typ in operands)
    return operation.op not in _KEEPING_SYMBOLS or not keeps


def keeps_shape(array: Expression, left: Expression, right: Expression, type_of: TypeOf) -> bool:
    """Whether NumPy's stubs give the result of an operator the shape of this operand: the other is an int or a bool."""
    typ = type_of(right if array is left else left)
    return typ is not None and scalar_of_array(typ) is None and holds_ints_or_bools(typ)


def _is_named(typ: Type | None) -> bool:
    """Whether this is not a NumPy array, or one of a dtype whose class has no width in the stubs."""
    scalar = scalar_of_array(typ)
    return scalar is None or (isinstance(scalar, Instance) and scalar.type.fullname in _WITHOUT_WIDTH)
