"""Every diagnostic of the project: its code, meaning, default and text.

One row per code. Texts are templates for what is wrong. What to write instead comes after them: see `findings`.
"""

from collections.abc import Iterable
from typing import Final

from promo_mypy.rules.records import record

PARENT: Final = "promo"
PARENT_MEANING: Final = "Anything that promo-mypy reports about dtypes"


@record
class Diagnostic:
    """A code, its one-line meaning (shown by tools), whether mypy reports it by default, and its text.

    `option`: the option that the diagnostic needs.
    """

    code: str
    meaning: str
    enabled: bool
    text: str
    option: str | None = None


UNDEFINED: Final = Diagnostic(
    "promo-undefined",
    "An operation on dtypes that the library rejects",
    True,
    "Unsupported dtypes in {operands} under {system} promotion: {reason}",
)
OVERFLOW: Final = Diagnostic(
    "promo-overflow",
    "A Python int or float that is out of range for the dtype of the array, if the library raises",
    True,
    "{number} out of range in {operands} under {system} promotion: {reason}",
)
INPLACE: Final = Diagnostic(
    "promo-inplace",
    "An in-place operation whose result cannot be cast to the dtype of the target",
    True,
    "Unsupported in-place operation {operands} under {system} promotion: {reason}",
)
ANNOTATION: Final = Diagnostic(
    "promo-annotation",
    "A dtype annotation that contradicts itself or cannot be read",
    True,
    "{problem}",
)
TRUNCATION: Final = Diagnostic(
    "promo-truncation",
    "A 64-bit dtype requested from JAX, which has none while x64 is off",
    True,
    "{problem}",
)
CARRY: Final = Diagnostic(
    "promo-carry",
    "A JAX loop whose carry changes its dtype, or branches that return different dtypes",
    True,
    "{problem}",
)
FORBIDDEN: Final = Diagnostic(
    "promo-forbidden",
    "A dtype that the option `forbid` names, where it enters the module",
    True,
    "{dtype} is forbidden here: {origin}",
    option="forbid",
)
PORTABILITY: Final = Diagnostic(
    "promo-portability",
    "An operation whose dtype differs under a system that the option `portable_to` names",
    True,
    "{operands} is {result} under {system} promotion, but {elsewhere}",
    option="portable_to",
)
WIDENING: Final = Diagnostic(
    "promo-widening",
    "A result wider than every array among the operands",
    False,
    "{operands} widens to {result} under {system} promotion: {after} bytes per element instead of {before}",
)
PRECISION: Final = Diagnostic(
    "promo-precision",
    "An integer that the dtype of the result cannot represent exactly, or at all",
    False,
    "{operands} is {result} under {system} promotion, which cannot hold {integer}: {reason}",
)
NONASSOCIATIVE: Final = Diagnostic(
    "promo-nonassociative",
    "A chain of operators whose dtype depends on how it is grouped",
    False,
    "The dtype of {operands} depends on the grouping under {system} promotion: {here} as written, {there} otherwise",
)
WRAPPING: Final = Diagnostic(
    "promo-wrapping",
    "A difference of unsigned integers, which wraps around below zero",
    False,
    "{operands} wraps around below zero under {system} promotion: the result is {result}",
)
WRITE: Final = Diagnostic(
    "promo-write",
    "A write into an array that silently cuts off the fraction or the imaginary part",
    False,
    "{operands} loses {lost} under {system} promotion: the array keeps its dtype",
)
MISMATCH: Final = Diagnostic(
    "promo-mismatch",
    "A value whose dtype is not the declared one; only `promo-mypy check` uses this code for mypy's own errors",
    True,
    "{subject} {verb} {inferred} where {declared} is declared",
)

UNUSED: Final = Diagnostic(
    "promo-unused-ignore",
    "A comment that accepts no finding; only `promo-mypy check` uses this code",
    False,
    "{problem}",
)
FAILURE: Final = Diagnostic(
    "promo-failure",
    "An internal error in promo-mypy; the dtype of the expression is unknown",
    True,
    "Internal error in promo-mypy; the dtype of this expression is unknown ({problem})",
)

#: What to do about a failure.
REPORT_DEFECT: Final = "please report it with the output of `mypy --show-traceback`"

DIAGNOSTICS: Final = (
    UNDEFINED, OVERFLOW, INPLACE, ANNOTATION, TRUNCATION, CARRY, FORBIDDEN, PORTABILITY, WIDENING, PRECISION,
    NONASSOCIATIVE, WRAPPING, WRITE, MISMATCH, UNUSED, FAILURE,
)  # fmt: skip

#: The codes that mypy itself never uses.
ONLY_CHECK: Final = frozenset({MISMATCH.code, UNUSED.code})

#: Stands for all codes where codes are selected.
ALL: Final = "all"


def selectable() -> tuple[str, ...]:
    """What may be selected or ignored: each code, and `all`. The beginning of a code stands for all such codes."""
    return (*(row.code for row in DIAGNOSTICS), ALL)


def is_selectable(text: str) -> bool:
    """Whether a text is a code, the beginning of one (`promo`, `promo-w`), or `all`."""
    return bool(codes_of([text]))


def codes_of(texts: Iterable[str]) -> frozenset[str]:
    """The codes that some texts select."""
    beginnings = tuple("" if text == ALL else text for text in texts if text == ALL or text.startswith(PARENT))
    return frozenset(row.code for row in DIAGNOSTICS if row.code.startswith(beginnings))


def selected(select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """The codes that are wanted: the selected ones, or those that are on by default, without the ignored ones."""
    wanted = codes_of(select) or frozenset(row.code for row in DIAGNOSTICS if row.enabled)
    return wanted - codes_of(ignore)
