"""Read a list or tuple beside a NumPy array as the array that NumPy converts it to: `x * [1, 2]`.

The stubs declare float64 for it, whatever the integers are. A marked item fits each of their overloads.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import ARG_POS, Expression
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import numpy_array
from promo_mypy.plugin.types.walks import parts_of
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import functions

_CONVERSION: Final = functions.library("numpy").functions["asarray"]


def is_sequence(typ: Type) -> bool:
    """Whether this is a list, a tuple or another of Python's sequences."""
    proper = get_proper_type(typ)
    return isinstance(proper, TupleType) or (isinstance(proper, Instance) and proper.type.fullname in names.SEQUENCES)


def holds_mark(typ: Type) -> bool:
    """Whether a value in the sequence, or in a sequence in it, has a mark."""
    return value_marks.is_marked(typ) or any(map(holds_mark, _items(typ)))


def with_array(
    operation: Operation, written: Expression, session: Session, api: CheckerPluginInterface
) -> Operation | None:
    """The operation of an array and a sequence, with the array in place of the sequence; None if that is unknown.

    `written`: the sequence.
    """
    receiver, [other] = get_proper_type(operation.receiver), operation.others
    if not isinstance(receiver, Instance) or receiver.type.fullname not in names.NUMPY_ARRAYS:
        return None
    found = answers_of(_CONVERSION, [Argument(None, ARG_POS, written, other)], None, session, api)
    answers = found.answers if found is not None else ()
    dtypes = frozenset(each for each in answers if isinstance(each, type) and issubclass(each, dt.Shaped))
    is_known = bool(dtypes) and len(dtypes) == len(set(answers))
    array = numpy_array(receiver, dtypes, session.symbols, keep_shape=False) if is_known else None
    if array is None:
        return None
    if holds_mark(other):
        array = session.marked(array, value_marks.marked)
    elif _holds_marked_dtype(other):
        array = session.marked(array, value_marks.with_marked_dtypes)
    else:
        array = value_marks.unmarked(array)
    return Operation(operation.operator, operation.receiver, [array], operation.context)


def _holds_marked_dtype(typ: Type) -> bool:
    return value_marks.has_marked_dtype(typ) or any(map(_holds_marked_dtype, _items(typ)))


def _items(typ: Type) -> Sequence[Type]:
    return parts_of(typ) if is_sequence(typ) else ()
