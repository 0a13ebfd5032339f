"""Report `promo-portability`: operations whose dtype differs under a system that the module should be portable to."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Context, OpExpr
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.diagnostics.findings import dtypes_text, operands_text, value_text
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api import type_checker
from promo_mypy.plugin.promotion import Answer
from promo_mypy.plugin.state.listener import Difference, Place
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import Value
from promo_mypy.rules.operands import Form
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.portability import Elsewhere, Side, differing, portable_cast
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording import diagnostics

_EITHER: Final = (Form.ARRAY, Form.ZERO_D)


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
    differences = []
    for found, values in answers:
        names = [name for name in options.portable_to if name != found.system.name]
        systems = [get_system(name, torch_default_dtype=options.torch_default_dtype) for name in names]
        sides = [side_of(value) for value in values]
        assert found.dtypes
        elsewhere = differing(found.dtypes, systems, operator.operation, sides)
        differences.append((found, values, elsewhere, systems, sides))
    found, values, elsewhere, systems, sides = differences[0]
    difference = None
    if all(elsewhere for _, _, elsewhere, _, _ in differences):
        assert found.dtypes
        remedy = portable_cast(found.system, found.dtypes, elsewhere, systems, operator.operation, sides)
        text = diagnostics.PORTABILITY.text.format(
            operands=operands_text(operator, values),
            result=dtypes_text(found.dtypes),
            system=found.system.name,
            elsewhere=_elsewhere_text(elsewhere),
            remedy=remedy,
        )
        code = CODES[diagnostics.PORTABILITY]
        type_checker.report(api, text, context, code)
        if type_checker.is_reported(api, context, code):
            operands = tuple(value_text(value) for value in values)
            result = dtypes_text(found.dtypes)
            difference = Difference(operator.symbol, operands, found.system.name, result, elsewhere, remedy)
    if session.listener is not None:
        session.listener(_place(context, api), found.system.name, difference)
    return difference is not None


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
        told = f" ({reason})" if reason is not None else ""
        parts.append(f"{dtypes or 'rejected'} under {' and '.join(systems)}{told}")
    return " and ".join(parts)


def _place(context: Context, api: CheckerPluginInterface) -> Place:
    first, last = context, context
    if isinstance(context, OpExpr) and context.column < 0:
        # mypy's operator for `divmod(x, y)` has no columns: the place is from the first argument to the last.
        first, last = context.left, context.right
    end_line, end_column = last.end_line or last.line, last.end_column or last.column
    return Place(type_checker.tree(api).path, first.line, first.column, end_line, end_column)
