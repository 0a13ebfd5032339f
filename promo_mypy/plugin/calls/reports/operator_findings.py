"""Report the diagnostics of operators for functions that are operators by another name: `np.add(u8, 300)`."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.calls.resolution import CallAnswers
from promo_mypy.plugin.diagnostics import costs, findings
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.promotion import Answer, answer, only_extended_by_category
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import Value, read
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.operator_functions import METHODS
from promo_mypy.rules.operators import OPERATORS, Operator
from promo_mypy.rules.wording.allowed import are_forbidden

with late():
    from promo_mypy.plugin.diagnostics import portability


def operator_of(row: Row, given: Sequence[Argument], receiver: Type | None) -> Operator | None:
    """The operator that a function stands for, spelled as the call; None for other functions and calls with options."""
    method = METHODS.get(row.library, {}).get(row.name)
    operands = len(given) + (receiver is not None)
    if method is None or operands != 2 or any(each.keyword is not None or each.is_star for each in given):
        return None
    return replace(OPERATORS[method], symbol=f"{row.full_name}()")


def report(
    operator: Operator,
    operands: Sequence[Type],
    found: CallAnswers,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> bool:
    """Report the findings of the operator, once. Return whether there was a report.

    Nothing is reported if function and operator give different results. `forbidden` reports a forbidden dtype.
    """
    alternatives = [values for typ in operands if (values := read(typ, session.platform)) is not None]
    if len(alternatives) < len(operands):
        return False
    answers: list[tuple[Answer, Sequence[Value]]] = []
    for values in itertools.product(*alternatives):
        one = answer(operator.operation, values, session, api)
        if one is None or not one.dtypes or only_extended_by_category(one, values):
            return False
        answers.append((one, values))
    results = frozenset().union(*(one.dtypes or () for one, _ in answers))
    if results != frozenset(found.answers):
        return False
    is_forbidden = are_forbidden(results, session.options(api).forbid)
    refusal = findings.refusal(operator, answers, context)
    if refusal is not None:
        type_checker.report(api, refusal, context)
        return True
    return not is_forbidden and (
        (session.has_policies and portability.report(operator, answers, context, session, api))
        or costs.report(operator, answers, context, api)
    )


def is_asked_for(given: Sequence[Argument], session: Session, api: CheckerPluginInterface) -> bool:
    """Whether a report is possible: for a number that may not fit, or by a diagnostic that is off by default."""
    return (
        session.has_policies
        or costs.are_asked_for(session, api)
        or any(value.literal is not None for each in given for value in session.values(each.type) or ())
    )
