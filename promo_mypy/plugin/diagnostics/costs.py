"""Report what operations that run cost, if somebody asks: they wrap around, widen or round."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.diagnostics import wrapping
from promo_mypy.plugin.diagnostics.findings import Answers, dtypes_text, made, operands_text, value_text
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import Value
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.value_remedies import exact_remedy, narrow_remedy

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding

#: The bits in a significand, those of float64, with which a rounded integer is no news.
_PLENTY: Final = 53


def report(operator: Operator, answers: Answers, context: Context, api: CheckerPluginInterface) -> bool:
    """Report what an operation that runs costs: range, memory or precision. Return whether there was a report."""
    found = (
        wrapping.finding(operator, answers, context, api)
        or _widening(operator, answers, api)
        or _precision(operator, answers, api)
    )
    if found is not None:
        type_checker.report(api, found, context)
    return found is not None


def are_asked_for(session: Session, api: CheckerPluginInterface) -> bool:
    """Whether any diagnostic that is off by default is switched on in the file being checked."""
    memo = session.watch.memo
    if memo.asks_for_costs is None:
        optional = (code for row, code in CODES.items() if not row.enabled)
        memo.asks_for_costs = any(type_checker.is_enabled(api, code) for code in optional)
    return memo.asks_for_costs


def _widening(operator: Operator, answers: Answers, api: CheckerPluginInterface) -> "Finding | None":
    diagnostic = diagnostics.WIDENING
    if operator.kind == "inplace" or not type_checker.is_enabled(api, CODES[diagnostic]):
        return None
    if not all(_is_wider(found.dtypes or frozenset(), _strong(values)) for found, values in answers):
        return None
    found, values = answers[0]
    assert found.dtypes
    strong = _strong(values)
    return made(
        diagnostic,
        narrow_remedy(strong, found.dtypes),
        operands=operands_text(operator, values),
        result=dtypes_text(found.dtypes),
        system=found.system.name,
        after=min(dtype.itemsize for dtype in found.dtypes),
        before=max(dtype.itemsize for dtype in strong),
    )


def _strong(values: Sequence[Value]) -> list[type[dt.Shaped]]:
    """The dtypes of the operands that decide the width of a result."""
    return [dtype for value in values for dtype in value.dtypes if issubclass(dtype, dt.Shaped) and not dtype.weak]


def _is_wider(results: frozenset[type[dt.Shaped]], operands: Sequence[type[dt.Shaped]]) -> bool:
    """Whether every result is wider than every operand, and not because it counts truth values or is complex.

    The number of a bool has no narrower dtype of its own. A complex number of a real one has two parts of its width.
    """
    if not results or not operands or dt.bool_ in operands:
        return False
    parts = 1 if any(dtype.kind == "c" for dtype in operands) else 2
    after = min(dtype.itemsize // (parts if dtype.kind == "c" else 1) for dtype in results)
    return after > max(dtype.itemsize for dtype in operands)


def _precision(operator: Operator, answers: Answers, api: CheckerPluginInterface) -> "Finding | None":
    diagnostic = diagnostics.PRECISION
    if operator.kind in ("inplace", "comparison") or not type_checker.is_enabled(api, CODES[diagnostic]):
        return None
    found, values = answers[0]
    if len(answers) != 1 or found.dtypes is None or len(found.dtypes) != 1:
        return None
    (result,) = found.dtypes
    if result.precision is None:
        return None
    only_exact = result.precision >= _PLENTY and not _mixes_integers(operator, values)
    for value in values:
        if only_exact and value.literal is None:
            continue
        reason = _loss(value, result)
        if reason is not None:
            return made(
                diagnostic,
                exact_remedy([dtype for value in values for dtype in value.dtypes]),
                operands=operands_text(operator, values),
                result=dtypes_text(found.dtypes),
                system=found.system.name,
                integer=value_text(value) if value.literal is not None else f"every {value_text(value)}",
                reason=reason,
            )
    return None


def _mixes_integers(operator: Operator, values: Sequence[Value]) -> bool:
    """Whether integers become floats although nobody asks for one, as in uint64 + int64."""
    return operator.operation != "truediv" and all(
        issubclass(dtype, dt.Integer | dt.py_int) for value in values for dtype in value.dtypes
    )


def _loss(value: Value, result: type[dt.Shaped]) -> str | None:
    """Why `result` cannot hold that integer operand; None if it can, or if the operand is not an integer."""
    assert result.precision is not None
    if value.literal is not None:
        smallest, largest = value.literal, value.literal
        exact = int_precision(abs(value.literal)) <= result.precision
    else:
        if len(value.dtypes) != 1:
            return None
        (dtype,) = value.dtypes
        if not issubclass(dtype, dt.Integer):
            return None
        smallest, largest = int(dtype.minimum), int(dtype.maximum)
        exact = dtype.bits - (dtype.kind == "i") <= result.precision
    if max(largest, -smallest) > result.maximum:
        return f"its largest finite value is {result.maximum:g}"
    return None if exact else f"its significand has {result.precision} bits"


def int_precision(magnitude: int) -> int:
    """The bits from the highest to the lowest bit that is set: what a significand must hold."""
    return magnitude.bit_length() - ((magnitude & -magnitude).bit_length() - 1) if magnitude else 0
