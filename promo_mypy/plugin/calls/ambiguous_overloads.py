"""Infer NumPy's results where several of its overloads fit, because a shape, size or axis has type Any.

NumPy's overloads differ in the shape of the result, or in whether it is a scalar. With such an argument stock mypy
cannot choose one, and infers no dtype. The plugin gives the same result for all of them.
"""

from collections.abc import Sequence
from typing import Final

from mypy.types import AnyType, Instance, ProperType, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.preserved_dtype import types_by_parameter
from promo_mypy.plugin.calls.resolution import CallAnswers
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import numpy_array
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.rows import Row

#: Parameters for the shape of the result, which is an array.
_SHAPES: Final = ("shape", "newshape", "num")
#: Parameters that decide whether the result is an array or a scalar.
_AXES: Final = ("size", "axis")


def infer(
    row: Row, found: CallAnswers, given: Sequence[Argument], receiver: Type | None, session: Session
) -> Type | None:
    """The result of a call with an argument of type Any that the overloads depend on; None for any other call."""
    if row.library != Library.NUMPY.value or found.library is not Library.NUMPY:
        return None
    if not any(_has_any(get_proper_type(argument.type)) for argument in given):
        return None
    types = types_by_parameter(row, given, receiver)
    is_shaped, is_reduced = (any(_is_any(types.get(name)) for name in names) for names in (_SHAPES, _AXES))
    dtypes = frozenset(answer for answer in found.answers if isinstance(answer, type) and issubclass(answer, dt.Shaped))
    array = session.symbols.instance(names.NUMPY_ARRAY)
    if array is None or not (is_shaped or is_reduced) or not dtypes or len(dtypes) != len(set(found.answers)):
        return None
    result = numpy_array(array, dtypes, session.symbols, keep_shape=False)
    if result is None:
        return None
    mark = value_marks.marked if is_reduced else value_marks.with_marked_dtypes
    return mark(result, session.symbols, session.platform)


def _is_any(typ: Type | None) -> bool:
    return typ is not None and _has_any(get_proper_type(typ))


def _has_any(typ: ProperType) -> bool:
    """Whether this is Any, or a tuple or list with an item of type Any."""
    match typ:
        case AnyType():
            return True
        case TupleType(items=items):
            return any(isinstance(get_proper_type(item), AnyType) for item in items)
        case Instance():
            items = list(typ.args) if typ.type.fullname in names.SEQUENCES else []
            return any(isinstance(get_proper_type(item), AnyType) for item in items)
        case _:
            return False
