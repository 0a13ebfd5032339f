"""Mark the result of an operator for which NumPy's stubs return Any, or an array of unknown dtype."""

from collections.abc import Sequence
from typing import Final

from mypy.types import Instance, Type

from promo_mypy.plugin import names
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type, scalar_of_array
from promo_mypy.rules.functions.numpy.forms import KEEPING_OPERATIONS
from promo_mypy.rules.operators import Operator

#: Dtypes whose class the stubs name without a width.
_NAMED: Final = frozenset({names.NUMPY_BOOL, names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128})


def with_marks(result: Type, operator: Operator, operands: Sequence[Type], session: Session) -> Type:
    """The result, with marks for what stock mypy does not infer. `operands`: the receiver comes first."""
    if value_marks.are_marked(operands):
        return value_marks.marked(result, session.symbols, session.platform)
    if operator.kind == "comparison":
        is_any = operator.method in ("__eq__", "__ne__") and is_scalar_type(operands[0])  # as of any object
        return value_marks.marked(result, session.symbols, session.platform) if is_any else result
    if any(map(value_marks.has_marked_dtype, operands)) or _has_no_width(result, operator, operands):
        return value_marks.with_marked_dtypes(result, session.symbols, session.platform)
    return result


def _has_no_width(result: Type, operator: Operator, operands: Sequence[Type]) -> bool:
    """Whether the stubs return only a class of dtypes, such as `floating`, for two arrays, or an array and a number."""
    scalar = scalar_of_array(result)
    if operator.kind == "unary" or not isinstance(scalar, Instance) or scalar.type.fullname in _NAMED:
        return False
    operation = operator.operation.removeprefix("i") if operator.kind == "inplace" else operator.operation
    return operation not in KEEPING_OPERATIONS or not any(map(numpy_scalars.holds_ints_or_bools, operands))
