"""Mark the result of an operator for which NumPy's stubs return Any, or an array of unknown dtype."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from mypy.types import FunctionLike, Instance, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.overloads import of_signatures
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.array_ranks import fits_several_overloads
from promo_mypy.plugin.types.numpy_scalars import scalar_of_array
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.functions.numpy.forms import KEEPING_OPERATIONS
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.records import record

#: Dtypes whose class the stubs name without a width.
_NAMED: Final = frozenset({names.NUMPY_BOOL, names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128})
#: Classes of floats and complex numbers that have a name of their own.
_NAMED_FLOATS: Final = frozenset({names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128})
#: Classes of several kinds of scalars.
_ABSTRACT: Final = frozenset({"numpy.number", "numpy.integer", "numpy.inexact"})
#: The classes of integers, and the operations for which the stubs have no result for both.
_OF_SIGNS: Final = frozenset({"numpy.signedinteger", "numpy.unsignedinteger"})
_OF_NUMBERS: Final = frozenset({"add", "sub", "mul", "floordiv", "mod", "pow"})


@record
class _Traits:
    """What decides about marks in the type of an operand.

    Attributes:
        is_marked: `value_marks.is_marked`.
        cls: the name of its class; empty for a union or tuple.
        is_array: whether it is a NumPy array.
        has_marked_dtype: `value_marks.has_marked_dtype`.
        is_open: whether it is a NumPy array of inferred, unknown or several dtypes.
        fits_several: `fits_several_overloads`.
        is_scalar: whether it is a NumPy scalar.
        is_wide: whether it is a NumPy scalar of several dtypes, as the norm of an array of unknown dtype.
        are_arrays: whether it is a union of several NumPy arrays.
        is_extension: `numpy_scalars.is_extension`.
        holds_ints_or_bools: `numpy_scalars.holds_ints_or_bools`.
    """

    is_marked: bool
    cls: str
    is_array: bool
    has_marked_dtype: bool
    is_open: bool
    fits_several: bool
    is_scalar: bool
    is_wide: bool
    are_arrays: bool
    is_extension: bool
    holds_ints_or_bools: bool


_IS_MARKED: Final = attrgetter("is_marked")
_HAS_MARKED_DTYPE: Final = attrgetter("has_marked_dtype")
_IS_OPEN: Final = attrgetter("is_open")
_IS_WIDE: Final = attrgetter("is_wide")
_IS_EXTENSION: Final = attrgetter("is_extension")
_HOLDS_INTS_OR_BOOLS: Final = attrgetter("holds_ints_or_bools")


def _traits(operands: Sequence[Type], session: Session) -> list[_Traits]:
    """What decides about marks in each operand. Operands of equal types share it."""
    known, found = session.watch.types.traits, []
    for operand in operands:
        traits = known.get(operand)
        if traits is None:
            traits = known[operand] = _read(operand, session.platform)
        found.append(traits)
    return found


def _read(operand: Type, platform: str) -> _Traits:
    proper, is_array = get_proper_type(operand), scalar_of_array(operand) is not None
    has_marked_dtype = value_marks.has_marked_dtype(operand)
    return _Traits(
        value_marks.is_marked(operand),
        proper.type.fullname if isinstance(proper, Instance) else "",
        is_array,
        has_marked_dtype,
        is_array and (has_marked_dtype or has_unknown_dtype(operand, platform)),
        fits_several_overloads(operand),
        numpy_scalars.is_scalar_type(proper),
        numpy_scalars.is_scalar_type(proper) and has_unknown_dtype(proper, platform),
        isinstance(proper, UnionType) and all(scalar_of_array(each) is not None for each in members(proper)),
        numpy_scalars.is_extension(operand),
        numpy_scalars.holds_ints_or_bools(operand),
    )


def with_marks(result: Type, operator: Operator, operands: Sequence[Type], session: Session) -> Type:
    """The result, with marks for what stock mypy does not infer. `operands`: the receiver comes first."""
    traits = _traits(operands, session)
    if any(map(_IS_MARKED, traits)) or _is_any(operator, traits):
        return session.marked(result, value_marks.marked)
    if operator.kind != "comparison" and (
        any(map(_HAS_MARKED_DTYPE, traits)) or _has_no_width(result, operator, traits)
    ):
        return session.marked(result, value_marks.with_marked_dtypes)
    return result


def is_any(operator: Operator, operands: Sequence[Type], session: Session) -> bool:
    """Whether stock mypy infers Any for the operator, as the library declares it for these operands."""
    return _is_any(operator, _traits(operands, session))


def _is_any(operator: Operator, operands: Sequence[_Traits]) -> bool:
    if operator.kind == "comparison":
        # Any object has the first two. Of the others several overloads fit an array of unknown dtype or shape.
        is_open = operands[-1].is_open or operands[-1].fits_several
        return operator.method in ("__eq__", "__ne__") or (operands[0].is_scalar and is_open)
    if operator.kind not in ("binary", "reflected"):
        return False
    if any(map(_IS_EXTENSION, operands)):
        return True  # NumPy's stubs reject the dtypes of ml_dtypes
    if _are_any_together(operator, operands):
        return True
    if any(map(_IS_OPEN, operands)) and any(map(_IS_WIDE, operands)):
        return True
    if operator.kind == "reflected" or not operands[0].is_array:
        return False
    # An array of unknown dtype fits several overloads. So does a scalar of several dtypes, as functions declare it.
    decides_first = operands[-1].are_arrays or operands[-1].cls in _NAMED_FLOATS
    return operands[0 if decides_first else -1].is_open


def _are_any_together(operator: Operator, operands: Sequence[_Traits]) -> bool:
    """Whether NumPy's stubs return Any for scalars of these classes."""
    first = operands[0].cls
    if first in _ABSTRACT:
        return True
    return first in _OF_SIGNS and operator.operation in _OF_NUMBERS and {each.cls for each in operands} == _OF_SIGNS


def returning_marks(signature: FunctionLike, session: Session) -> FunctionLike:
    """The signature with a mark on the result of every overload."""
    items = [
        item.copy_modified(ret_type=value_marks.marked(item.ret_type, session.symbols, session.platform))
        for item in signature.items
    ]
    return of_signatures(items)


def _has_no_width(result: Type, operator: Operator, operands: Sequence[_Traits]) -> bool:
    """Whether the stubs return only a class of dtypes, such as `floating`, for two arrays, or an array and a number."""
    scalar = scalar_of_array(result)
    if operator.kind == "unary" or not isinstance(scalar, Instance) or scalar.type.fullname in _NAMED:
        return False
    operation = operator.operation.removeprefix("i") if operator.kind == "inplace" else operator.operation
    return operation not in KEEPING_OPERATIONS or not any(map(_HOLDS_INTS_OR_BOOLS, operands))
