"""Turn answers of the rules into diagnostics: an operation that is rejected, overflows, widens or rounds."""

from collections.abc import Iterable, Sequence

from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api import type_checker
from promo_mypy.plugin.promotion import Answer
from promo_mypy.plugin.types.array_types import Value
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.diagnostics import Diagnostic

Answers = Sequence[tuple[Answer, Sequence[Value]]]


Finding = tuple[Diagnostic, str]


def refusal(operator: Operator, answers: Answers) -> Finding | None:
    """The finding for an operation that cannot run; None for one that can."""
    return _refused(operator, answers) or _overflow(operator, answers)


def report(finding: Finding, context: Context, api: CheckerPluginInterface) -> None:
    """Report a finding."""
    diagnostic, text = finding
    type_checker.report(api, text, context, CODES[diagnostic])


def _refused(operator: Operator, answers: Answers) -> Finding | None:
    # An operand of several possible dtypes is rejected only if each of them is: only certain errors are reported.
    if not all(found.dtypes is not None and not found.dtypes and found.refusals for found, _ in answers):
        return None
    found, values = answers[0]
    refusal = found.refusals[0]
    diagnostic = diagnostics.INPLACE if operator.kind == "inplace" else diagnostics.UNDEFINED
    return diagnostic, _text_of_refusal(diagnostic, refusal, operator, values)


def _overflow(operator: Operator, answers: Answers) -> Finding | None:
    refusals = []
    for found, values in answers:
        literal = next((value.literal for value in values if value.literal is not None), None)
        arrays = [value for value in values if value.library is not Library.PYTHON]
        if literal is None or len(arrays) != 1:
            return None
        for dtype in arrays[0].dtypes:
            refusal = found.system.check_literal(
                operator.operation, Operand(dtype, arrays[0].form), literal, reflected=values[0].literal is not None
            )
            if refusal is None:
                return None
            refusals.append(refusal)
    diagnostic = diagnostics.OVERFLOW
    return diagnostic, _text_of_refusal(diagnostic, refusals[0], operator, answers[0][1])


def _text_of_refusal(diagnostic: Diagnostic, refusal: Refusal, operator: Operator, values: Sequence[Value]) -> str:
    return diagnostic.text.format(
        number="Integer",
        operands=operands_text(operator, values),
        system=refusal.system,
        reason=refusal.reason,
        remedy=refusal.remedy,
    )


def operands_text(operator: Operator, values: Sequence[Value]) -> str:
    """The operation as in source code, with dtypes for operands."""
    texts = [value_text(value) for value in values]
    if operator.symbol.endswith("()"):
        return f"{operator.symbol[:-1]}{', '.join(texts)})"
    return f" {operator.symbol} ".join(texts) if len(texts) > 1 else f"{operator.symbol}{texts[0]}"


def value_text(value: Value) -> str:
    """A dtype, several of them, or a Python literal."""
    if value.literal is not None:
        return str(value.literal)
    if value.form is Form.PYTHON:
        (scalar,) = value.dtypes if len(value.dtypes) == 1 else (dt.py_int,)
        return scalar.__name__.removeprefix("py_")
    text = dtypes_text(array_dtypes(value.dtypes))
    return f"({text})" if len(value.dtypes) > 1 else text


def array_dtypes(dtypes: Iterable[dt.OperandType]) -> frozenset[type[dt.Shaped]]:
    """The dtypes of arrays and array scalars among operand types."""
    return frozenset(dtype for dtype in dtypes if issubclass(dtype, dt.Shaped))


def dtypes_text(dtypes: frozenset[type[dt.Shaped]]) -> str:
    """Names of dtypes. Weak dtypes are marked."""
    ordered = sorted(dtypes, key=lambda dtype: (dtype.kind, dtype.bits, dtype.name))
    names = [f"weak {dtype.name.rstrip('*')}" if dtype.weak else dtype.name for dtype in ordered]
    return " | ".join(names)
