"""The dtype argument of functions that cast their arrays by `casting=`. Source: running NumPy 2.4."""

from collections.abc import Container
from contextlib import suppress

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.function_reasons import not_cast
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule
from promo_mypy.rules.systems.numpy_extensions import CASTS


@rule
class CastTo(Rule):
    """The dtype argument, if every array may be cast to it; without one, the rule's result."""

    rule: Rule
    names: str
    safely: bool = False
    """Whether the function casts only to a dtype that holds all values, not to any of the same kind."""

    def kept(self, given: Container[str]) -> str:
        """As the rule, unless a dtype is given."""
        return "" if "dtype" in given else self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """With `casting="unsafe"` any array may be cast, and an unknown array may be one that fits."""
        dtype = call.dtype("dtype")
        if dtype is None:
            return self.rule.answer(call)
        with suppress(Unresolved):
            if not call.given("casting") or call.value("casting") != "unsafe":
                for operand in call.operands(*self.names.split(), full=True):
                    self._check(call, operand, dtype)
        return dtype

    def _check(self, call: Call, operand: Operand, target: DType) -> None:
        source = operand.dtype
        assert issubclass(source, dt.Shaped), "full operands are arrays"
        if self.safely:
            fits = call.promoted(operand, Operand(target)) is target
        else:
            fits = call.system.can_cast(source, target)
        if not fits:
            raise Refused(not_cast(call.system.dialect.library, source, target))


@rule
class Inexact(Rule):
    """The rule's result. Without NaN, floats and complex numbers of NumPy are computed only in such dtypes."""

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """An unknown array may be one of integers."""
        dtype = call.dtype("dtype")
        with suppress(Unresolved):
            if dtype is not None and _is_inexact(call.operand("a").dtype) and not _is_inexact(dtype):
                call.refuse(dtype)
        return self.rule.answer(call)


def _is_inexact(dtype: dt.OperandType) -> bool:
    return dtype.kind in "fc" and dtype.name not in CASTS
