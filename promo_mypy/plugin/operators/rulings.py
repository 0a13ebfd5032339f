"""Ask the rules about an operator once for all types that stand for the same values: marked and unmarked ones."""

import itertools
from collections.abc import Sequence

from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.diagnostics import findings
from promo_mypy.plugin.diagnostics.findings import Answers
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.operators.combinations import answers_of
from promo_mypy.plugin.operators.operands import zero_d
from promo_mypy.plugin.operators.operands.zero_d import Alternatives
from promo_mypy.plugin.promotion import Answer, only_extended_by_category
from promo_mypy.plugin.state.session import Session
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Form
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.records import record


@record
class Ruling:
    """The answers of the rules for an operator on some values.

    Attributes:
        answers: one for each combination of the values; None if the library's stubs should decide.
        is_refused: whether the operation cannot run.
        crosses: the answers depend on the expression, too: see `zero_d`.
        are_numpy_bools: all operands are scalars of numpy.bool.
    """

    answers: Sequence[Answer] | None = None
    is_refused: bool = False
    crosses: bool = False
    are_numpy_bools: bool = False


def settled(
    operator: Operator,
    operands: Sequence[Type],
    alternatives: Alternatives,
    session: Session,
    api: CheckerPluginInterface,
) -> Ruling:
    """The ruling for operands of these types, which stand for these values; without answers if it `crosses`."""
    known, question = session.watch.types.rulings, (operator.method, *map(session.facts, operands))
    found: Ruling | None = known.get(question)
    if found is None:
        found = Ruling(crosses=True) if zero_d.crosses(alternatives) else ruled(operator, alternatives, session, api)
        known[question] = found
    return found


def ruled(operator: Operator, alternatives: Alternatives, session: Session, api: CheckerPluginInterface) -> Ruling:
    """The ruling for these values."""
    are_numpy_bools = _are_numpy_bools(alternatives)
    answers = answers_of(operator, alternatives, session, api)
    if answers is None or any(only_extended_by_category(found, values) for found, values in answers):
        return Ruling(are_numpy_bools=are_numpy_bools)
    is_refused = findings.is_refused(operator, answers)
    return Ruling([found for found, _ in answers], is_refused, are_numpy_bools=are_numpy_bools)


def with_values(operator: Operator, answers: Sequence[Answer], alternatives: Alternatives) -> Answers:
    """Each answer with its values, which stand as in the source."""
    in_order = alternatives[::-1] if operator.kind == "reflected" else alternatives
    return list(zip(answers, itertools.product(*in_order), strict=True))


def _are_numpy_bools(alternatives: Alternatives) -> bool:
    """Whether all operands are scalars of numpy.bool, for which NumPy's stubs know the value itself."""
    return all(
        value.library is Library.NUMPY and value.form is Form.SCALAR and value.dtypes == {dt.bool_}
        for values in alternatives
        for value in values
    )
