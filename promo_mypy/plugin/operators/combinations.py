"""Apply an operator to every combination of the values that its operands may have."""

import itertools
from collections.abc import Sequence

from mypy.plugin import CheckerPluginInterface
from mypy.typeops import make_simplified_union
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.diagnostics import findings
from promo_mypy.plugin.libraries import BY_LIBRARY
from promo_mypy.plugin.promotion import Answer, answer, result_type
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.array_types import Value, library_of
from promo_mypy.plugin.types.unknown_dtypes import with_bounds
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.operators import OPERATORS, Operator


def alternatives_of(operands: Sequence[Type], session: Session) -> Sequence[Sequence[Value]] | None:
    """The possible values of each operand; None if an operand is unknown."""
    alternatives = [session.values(typ) for typ in operands]
    known = [values for values in alternatives if values is not None]
    return known if len(known) == len(alternatives) else None


def answers_of(
    operator: Operator, alternatives: Sequence[Sequence[Value]], session: Session, api: CheckerPluginInterface
) -> list[tuple[Answer, Sequence[Value]]] | None:
    """The result of the operator for every combination; None if the rules do not apply to one of them.

    `alternatives`: the possible values of the receiver and of the other operand.
    """
    in_order = alternatives[::-1] if operator.kind == "reflected" else alternatives
    answers: list[tuple[Answer, Sequence[Value]]] = []
    for values in itertools.product(*in_order):
        # An augmented assignment to a number replaces it.
        operation = operator.operation if values[0].is_array else IN_PLACE.get(operator.operation, operator.operation)
        found = answer(operation, values, session, api)
        if found is None:
            return None
        answers.append((found, values))
    return answers


def possible_dtypes(
    operator: Operator, operands: Sequence[Type], session: Session, api: CheckerPluginInterface
) -> frozenset[type[dt.Shaped]] | None:
    """Every dtype that the result may have, with each type variable replaced by its bound."""
    alternatives = alternatives_of([with_bounds(typ) for typ in operands], session)
    answers = None if alternatives is None else answers_of(operator, alternatives, session, api)
    if answers is None or any(found.dtypes is None for found, _ in answers):
        return None
    return frozenset().union(*(found.dtypes or () for found, _ in answers))


def may_change_scalar(
    operator: Operator,
    receiver: Type,
    alternatives: Sequence[Sequence[Value]],
    session: Session,
    api: CheckerPluginInterface,
) -> bool:
    """Whether x may be an array or a scalar, and `x += y` changes its dtype only if it is a scalar."""
    if operator.kind != "inplace" or not value_marks.is_marked(receiver) or library_of(receiver) is None:
        return False
    if all(value.rank.positive for value in alternatives[0]):
        return False
    binary = OPERATORS[operator.method.replace("__i", "__", 1)]
    replaced = answers_of(binary, alternatives, session, api)
    if replaced is None or findings.is_refused(binary, replaced):
        return False
    dtypes = frozenset(dtype for value in alternatives[0] for dtype in value.dtypes)
    return any(found.dtypes != dtypes for found, _ in replaced)


def type_of(
    operator: Operator, receiver: Type, answers: Sequence[tuple[Answer, Sequence[Value]]], session: Session
) -> Type | None:
    """The type of the result, a union if the answers differ; None if a class for it is missing from the build."""
    if len(answers) == 1 and operator.kind != "inplace" and operator.operation != "divmod":  # most of them
        found, values = answers[0]
        typ = result_type(found, values, session) if found.dtypes else _unknown(answers)
        # mypy simplifies a union of NumPy's scalars.
        return typ if typ is None or not isinstance(get_proper_type(typ), UnionType) else make_simplified_union([typ])
    allowed = [(found, values) for found, values in answers if found.dtypes is None or found.dtypes]
    if operator.kind == "inplace" and not any(
        found.rebinds or not BY_LIBRARY[found.library].writes or found.library is not values[0].library
        for found, values in answers
    ):
        # The library writes into the target: its dtype stays, even after a rejected operation.
        return receiver
    if not allowed or any(found.dtypes is None for found, _ in allowed):
        return _unknown(answers)
    types = [result_type(found, values, session) for found, values in allowed]
    known = [typ for typ in types if typ is not None]
    if len(known) != len(types):
        return None
    result: Type = make_simplified_union(known)
    if operator.operation == "divmod":
        pair = session.symbols.instance("builtins.tuple", [result])
        return TupleType([result, result], pair) if pair is not None else None
    return result


def _unknown(answers: Sequence[tuple[Answer, Sequence[Value]]]) -> Type:
    """An array of unknown dtype of the library that computes the result."""
    found, values = answers[0]
    any_type = AnyType(TypeOfAny.special_form)
    for value in values:
        if value.library is found.library and value.is_array:
            of_any = value.source.copy_modified(args=_arguments_of_any(value.source))
            return numpy_scalars.without_dtype_in_class(of_any)
    return any_type


def _arguments_of_any(array: Instance) -> list[Type]:
    any_type = AnyType(TypeOfAny.special_form)
    dtype = get_proper_type(array.args[-1])
    if array.type.fullname in names.NUMPY_ARRAYS and isinstance(dtype, Instance):
        return [any_type, dtype.copy_modified(args=[any_type])]
    return [any_type for _ in array.args]
