"""Report the calls of registry functions and methods that a library rejects."""

from typing import Final

from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.diagnostics.findings import made
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.stored_numbers import ITEMS
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.diagnostics import Diagnostic
from promo_mypy.rules.wording.reasons import spelled

_TENSOR_ITEMS: Final = f"torch.{ITEMS}"
#: Functions whose dtype argument NumPy's stubs check.
_CHECKED: Final = frozenset({"numpy.random.randint", "numpy.random.RandomState.randint"})


def report_refusal(refusal: Refusal, row: Row, context: Context, api: CheckerPluginInterface) -> None:
    """Report a rejected call. A rejected write into an array has its own code."""
    if row.full_name == _TENSOR_ITEMS and any(operand.dtype is dt.py_complex for operand in refusal.operands):
        return  # the types of PyTorch reject the number
    if row.full_name in _CHECKED and not refusal.operands:
        return
    diagnostic = diagnostics.INPLACE if row.rule.stores else diagnostics.UNDEFINED
    _report(diagnostic, refusal, _called(row, _dtypes(refusal)), context, api)


def report_rejected(refusal: Refusal, name: str, context: Context, api: CheckerPluginInterface) -> None:
    """Report a rejected call of a class or function of that name, which has no row."""
    _report(diagnostics.UNDEFINED, refusal, f"{name}({', '.join(_dtypes(refusal))})", context, api)


def report_call(
    called: str, system: PromotionSystem, reason: str, remedy: str, context: Context, api: CheckerPluginInterface
) -> None:
    """Report a call with the dtypes of its arguments, `torch.nn.Linear(float64)`, that no row of the rules rejects."""
    _report(diagnostics.UNDEFINED, Refusal(system.name, called, (), reason, Remedy(remedy)), called, context, api)


def _report(
    diagnostic: Diagnostic, refusal: Refusal, operation: str, context: Context, api: CheckerPluginInterface
) -> None:
    finding = made(diagnostic, refusal.advice, operands=operation, system=refusal.system, reason=refusal.reason)
    type_checker.report(api, finding, context)


def _dtypes(refusal: Refusal) -> list[str]:
    return [_named(operand) for operand in refusal.operands]


def _called(row: Row, operands: list[str]) -> str:
    """The call, or the assignment or index that stands for it, with dtypes for values."""
    if row.name == ITEMS:
        return f"{operands[0]}[...] = {operands[-1]}"
    if row.name == "__getitem__":
        return f"{operands[0]}[{', '.join(operands[1:])}]"
    if row.name.startswith("at."):
        return f"{operands[0]}.at[...].{row.name.removeprefix('at.')}({', '.join(operands[1:])})"
    return f"{row.full_name}({', '.join(operands)})"


def _named(operand: Operand) -> str:
    return spelled(operand.dtype) if issubclass(operand.dtype, dt.Shaped) else operand.name
