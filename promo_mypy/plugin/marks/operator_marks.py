"""Mark the result of an operator for which NumPy's stubs return Any, or an array of unknown dtype."""

from collections.abc import Sequence
from typing import Final

from mypy.types import FunctionLike, Instance, Overloaded, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.numpy_scalars import scalar_of_array
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype
from promo_mypy.rules.functions.numpy.forms import KEEPING_OPERATIONS
from promo_mypy.rules.operators import Operator

#: Dtypes whose class the stubs name without a width.
_NAMED: Final = frozenset({names.NUMPY_BOOL, names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128})
#: Classes of several kinds of scalars.
_ABSTRACT: Final = frozenset({"numpy.number", "numpy.integer", "numpy.inexact"})
#: The classes of integers, and the operations for which the stubs have no result for both.
_OF_SIGNS: Final = frozenset({"numpy.signedinteger", "numpy.unsignedinteger"})
_OF_NUMBERS: Final = frozenset({"add", "sub", "mul", "floordiv", "mod", "pow"})


def with_marks(result: Type, operator: Operator, operands: Sequence[Type], session: Session) -> Type:
    """The result, with marks for what stock mypy does not infer. `operands`: the receiver comes first."""
    if value_marks.are_marked(operands) or is_any(operator, operands, session):
        return value_marks.marked(result, session.symbols, session.platform)
    if operator.kind == "comparison":
        return result
    if any(map(value_marks.has_marked_dtype, operands)) or _has_no_width(result, operator, operands):
        return value_marks.with_marked_dtypes(result, session.symbols, session.platform)
    return result


def is_any(operator: Operator, operands: Sequence[Type], session: Session) -> bool:
    """Whether stock mypy infers Any for the operator, as the library declares it for these operands."""
    if operator.kind == "comparison":
        return operator.method in ("__eq__", "__ne__")  # as of any object
    if operator.kind in ("binary", "reflected") and any(map(numpy_scalars.is_extension, operands)):
        return True  # NumPy's stubs reject the dtypes of ml_dtypes
    if operator.kind in ("binary", "reflected") and _are_any_together(operator, list(map(_class_of, operands))):
        return True
    if operator.kind != "binary" or scalar_of_array(operands[0]) is None:
        return False
    # An array of unknown dtype fits several overloads. So does a scalar of several dtypes, as functions declare it.
    other = operands[0] if _is_named_float(operands[-1]) else operands[-1]
    if scalar_of_array(other) is None:
        return False
    return value_marks.has_marked_dtype(other) or has_unknown_dtype(other, session.platform)


def _are_any_together(operator: Operator, classes: Sequence[str]) -> bool:
    """Whether NumPy's stubs return Any for scalars of these classes."""
    return classes[0] in _ABSTRACT or (set(classes) == _OF_SIGNS and operator.operation in _OF_NUMBERS)


def _class_of(typ: Type) -> str:
    proper = get_proper_type(typ)
    return proper.type.fullname if isinstance(proper, Instance) else ""


def _is_named_float(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname in (names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128)


def returning_marks(signature: FunctionLike, session: Session) -> FunctionLike:
    """The signature with a mark on the result of every overload."""
    items = [
        item.copy_modified(ret_type=value_marks.marked(item.ret_type, session.symbols, session.platform))
        for item in signature.items
    ]
    return Overloaded(items) if len(items) > 1 else items[0]


def _has_no_width(result: Type, operator: Operator, operands: Sequence[Type]) -> bool:
    """Whether the stubs return only a class of dtypes, such as `floating`, for two arrays, or an array and a number."""
    scalar = scalar_of_array(result)
    if operator.kind == "unary" or not isinstance(scalar, Instance) or scalar.type.fullname in _NAMED:
        return False
    operation = operator.operation.removeprefix("i") if operator.kind == "inplace" else operator.operation
    return operation not in KEEPING_OPERATIONS or not any(map(numpy_scalars.holds_ints_or_bools, operands))
