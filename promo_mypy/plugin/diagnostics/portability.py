"""Report `promo-portability`: operations whose dtype differs under a system that the module should be portable to."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Context, OpExpr
from mypy.plugin import CheckerPluginInterface

from promo_mypy.config import Options
from promo_mypy.plugin.diagnostics.findings import dtypes_text, made, operands_at, operands_text, value_text
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.promotion import Answer
from promo_mypy.plugin.state.listener import Difference, Place
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import Value
from promo_mypy.rules.operands import Form
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.portability import Elsewhere, Side, differing, portable_cast
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording import diagnostics

_EITHER: Final = (Form.ARRAY, Form.ZERO_D)


@record
class _Comparison:
    """One result, compared with the results under other systems.

    Attributes:
        found: the result under the system of the module.
        values: the operands.
        sides: the operands in the form that the rules of other systems take.
        systems: the other systems.
        elsewhere: their results that differ.
    """

    found: Answer
    values: Sequence[Value]
    sides: Sequence[Side]
    systems: Sequence[PromotionSystem]
    elsewhere: Sequence[Elsewhere]


def report(
    operator: Operator,
    answers: Sequence[tuple[Answer, Sequence[Value]]],
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> bool:
    """Report an operation that is not portable. Return whether there was a report.

    If several dtypes are possible, the result must differ for each of them. A mixture of NumPy and PyTorch follows
    rules that no other library has, and is never reported.
    """
    if any(not found.dtypes or _mixes_torch(values) for found, values in answers):
        return False
    options = session.options(api)
    if not options.portable_to:
        return False
    comparisons = [_compared(operator, found, values, options) for found, values in answers]
    difference = None
    if all(each.elsewhere for each in comparisons):
        difference = _report_difference(operator, comparisons[0], context, api)
    if session.listener is not None:
        session.listener(_place(context, api), comparisons[0].found.system.name, difference)
    return difference is not None


def _compared(operator: Operator, found: Answer, values: Sequence[Value], options: Options) -> _Comparison:
    names = [name for name in options.portable_to if name != found.system.name]
    systems = [get_system(name, torch_default_dtype=options.torch_default_dtype) for name in names]
    sides = [side_of(value) for value in values]
    assert found.dtypes
    return _Comparison(found, values, sides, systems, differing(found.dtypes, systems, operator.operation, sides))


def _report_difference(
    operator: Operator, compared: _Comparison, context: Context, api: CheckerPluginInterface
) -> Difference | None:
    """Report a result that differs. None if mypy does not show the report."""
    dtypes, system, elsewhere = compared.found.dtypes, compared.found.system, compared.elsewhere
    assert dtypes
    remedy = portable_cast(system, dtypes, elsewhere, compared.systems, operator.operation, compared.sides)
    finding = made(
        diagnostics.PORTABILITY,
        remedy,
        operands_at(context),
        operands=operands_text(operator, compared.values),
        result=dtypes_text(dtypes),
        system=system.name,
        elsewhere=_elsewhere_text(elsewhere),
    )
    code = CODES[diagnostics.PORTABILITY]
    type_checker.report(api, finding, context)
    if not type_checker.is_reported(api, context, code):
        return None
    operands = tuple(value_text(value) for value in compared.values)
    return Difference(operator.symbol, operands, system.name, dtypes_text(dtypes), tuple(elsewhere), remedy.sentence)


def side_of(value: Value) -> Side:
    """An operand in the form that the rules of other systems take."""
    forms: tuple[Form, ...] = (value.form,)
    if value.is_array and not value.rank.positive:
        # Only tensors have a rank in their type: any other array may be 0-d.
        forms = (Form.ZERO_D,) if value.rank.zero else _EITHER
    return Side(value.dtypes, forms, value.literal)


def _mixes_torch(values: Sequence[Value]) -> bool:
    return {Library.NUMPY, Library.TORCH} <= {value.library for value in values}


def _elsewhere_text(elsewhere: Sequence[Elsewhere]) -> str:
    """`float32 under jax and torch`, `rejected under torch (the reason)`. Systems that agree are listed together."""
    by_outcome: dict[tuple[str, str | None], list[str]] = {}
    for each in elsewhere:
        by_outcome.setdefault((dtypes_text(each.results), each.reason), []).append(each.system)
    parts = []
    for (dtypes, reason), systems in by_outcome.items():
        why = f" ({reason})" if reason is not None else ""
        parts.append(f"{dtypes or 'rejected'} under {' and '.join(systems)}{why}")
    return " and ".join(parts)


def _place(context: Context, api: CheckerPluginInterface) -> Place:
    first, last = context, context
    if isinstance(context, OpExpr) and context.column < 0:
        # mypy's operator for `divmod(x, y)` has no columns: the place is from the first argument to the last.
        first, last = context.left, context.right
    end_line, end_column = last.end_line or last.line, last.end_column or last.column
    return Place(type_checker.tree(api).path, first.line, first.column, end_line, end_column)
