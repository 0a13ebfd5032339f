"""What most JAX functions do with dtypes: promote the arguments, and compute integers in floating point."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, Unresolved
from promo_mypy.rules.functions.language.choosing import IfScalar
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, Same, Strong
from promo_mypy.rules.records import rule

BOOL: Final = Fixed(dt.bool_)
FLOAT: Final = Default("f")
INDEX: Final = Default("i")
_QUOTIENT: Final = "bui=quotient"


@rule
class Agreed(Rule):
    """The result on which two rules agree. It is unknown if they differ."""

    rule: Rule
    other: Rule

    def answer(self, call: Call) -> Answer:
        """One result for both."""
        answer = self.rule.answer(call)
        if answer != self.other.answer(call):
            raise Unresolved
        return answer


@rule
class Since(Agreed):
    """The rules of JAX 0.11 and of JAX 0.10: the installed version decides."""


def inexact(names: str) -> Converted:
    """The dtype that the arguments promote to; for bool and integers, the dtype of a quotient. Weak stays weak."""
    return Converted(Promoted(names), _QUOTIENT)


def real_inexact(names: str) -> Converted:
    """The same for functions without a complex version."""
    return Converted(Promoted(names), f"{_QUOTIENT} c=refused")


def weak_scalar(names: str, rule: Rule) -> Rule:
    """Weak only if all arguments are 0-d. An array filled with constants is never weak."""
    return IfScalar(names, rule, Strong(rule), every=True)


def weak_complex_scalar(names: str, rule: Rule) -> Rule:
    """The same for complex numbers only; other weak results stay weak."""
    return IfScalar(names, rule, Converted(rule, "c=strong"), every=True)


def solved(names: str) -> Converted:
    """The same for functions of LAPACK: float32 or wider."""
    return Converted(inexact(names), "bfloat16=refused float16=refused")


def summed(name: str) -> Rule:
    """Sums of bool and integers are at least as wide as the default dtypes."""
    return Asked(Converted(Same(name), "bi=int64 u=uint64", keeps_weak=False))
