"""Turn answers of the rules into diagnostics: an operation that is rejected, overflows, widens or rounds."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, Context, Expression

from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.promotion import Answer
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.plugin.types.array_types import Value
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.diagnostics import Diagnostic

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding, Span

Answers = Sequence[tuple[Answer, Sequence[Value]]]


def made(
    diagnostic: Diagnostic, remedy: Remedy | str, among: Sequence[Expression] = (), *, system: str = "", **words: object
) -> "Finding":
    """A finding.

    Args:
        diagnostic: what it is.
        remedy: what to write instead; a sentence without capital and full stop if no cast is all of it.
        among: the operands of which the remedy may cast one; empty where they are not known.
        system: the promotion system that decides, in whose library a cast is written.
        words: what else the text of the diagnostic names.
    """
    from promo_mypy.rules.findings import Cast, finding  # few programs have mistakes

    sentence, wanted = (remedy, None) if isinstance(remedy, str) else (remedy.sentence, remedy.cast)
    cast = None
    if wanted is not None and wanted.operand < len(among):
        cast = Cast(_span(among[wanted.operand]), dtype=wanted.dtype.strong.name)
    return finding(diagnostic, sentence, cast=cast, system=system, **words)


def _span(node: Expression) -> "Span":
    from promo_mypy.rules.findings import Span  # as above

    end_line = node.line if node.end_line is None else node.end_line
    return Span(node.line, node.column, end_line, node.column if node.end_column is None else node.end_column)


def operands_at(context: Context) -> Sequence[Expression]:
    """The operands of the operation at a place: of an operator, or of a call that stands for one."""
    return context.args if isinstance(context, CallExpr) else operands_of(context)


def is_refused(operator: Operator, answers: Answers) -> bool:
    """Whether an operation certainly fails, because of its dtypes or of the value of a number."""
    return (_refused(answers) or _overflowing(operator, answers)) is not None


def refusal(operator: Operator, answers: Answers, context: Context) -> "Finding | None":
    """The finding for an operation that cannot run; None for one that can."""
    refused = _refused(answers)
    diagnostic = diagnostics.INPLACE if operator.kind == "inplace" else diagnostics.UNDEFINED
    if refused is None:
        refused, diagnostic = _overflowing(operator, answers), diagnostics.OVERFLOW
    if refused is None:
        return None
    return made(
        diagnostic,
        refused.advice,
        operands_at(context),
        system=refused.system,
        number="Integer",
        operands=operands_text(operator, answers[0][1]),
        reason=refused.reason,
    )


def _refused(answers: Answers) -> Refusal | None:
    # An operand of several possible dtypes is rejected only if each of them is: only certain errors are reported.
    if not all(found.dtypes is not None and not found.dtypes and found.refusals for found, _ in answers):
        return None
    return answers[0][0].refusals[0]


def _overflowing(operator: Operator, answers: Answers) -> Refusal | None:
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
    return refusals[0]


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
