"""The dtype argument of PyTorch's norms. Source: running PyTorch 2.13."""

from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.function_reasons import not_widened
from promo_mypy.rules.functions.language.protocols import NeverPromotes, Rule, one
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule


@rule
class Widened(NeverPromotes):
    """The dtype argument, if it holds all values of the rule's result and is of the same kind; without one, the result.

    Integers have no norm.
    """

    rule: Rule

    def answer(self, call: Call) -> DType:
        """An unknown array may be one that fits."""
        dtype = call.dtype("dtype")
        try:
            own = one(call, self.rule)
        except Unresolved:
            if dtype is None:
                raise
            return dtype
        if dtype is None:
            return own
        if own.kind in "bui":
            call.refuse(own)
        if own.kind != dtype.kind or call.promoted(Operand(own), Operand(dtype)) is not dtype:
            raise Refused(not_widened(call.system.dialect.library, own, dtype))
        return dtype
