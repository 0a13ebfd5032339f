"""What NumPy's functions cast to another dtype, and what they reject. Source: running NumPy 2.4."""

from collections.abc import Container
from contextlib import suppress

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.function_reasons import not_cast
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.functions.language.vocabulary import Inferred, Same
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
                    _check(call, operand, dtype, safely=self.safely)
        return dtype


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


@rule
class WithoutNan(Rule):
    """An array in which other numbers are put for NaN and infinity, in the real and in the imaginary part."""

    name: str
    numbers: str
    """The names of the arguments that are put there."""
    kinds: str = "fc"
    """The kinds of arrays that take no complex numbers; those of the others are not replaced, or are complex."""

    def kept(self, given: Container[str]) -> str:  # noqa: ARG002 (the interface)
        """The array."""
        return self.name

    def answer(self, call: Call) -> Answer:
        """An unknown number may be real."""
        result = Inferred(self.name).answer(call)
        if result.kind in self.kinds and _is_inexact(result):
            for name in filter(call.given, self.numbers.split()):
                with suppress(Unresolved):
                    _check(call, Operand(Same(name).answer(call)), dt.REAL_PARTS.get(result, result))
        return result


def _check(call: Call, operand: Operand, target: DType, *, safely: bool = False) -> None:
    source = operand.dtype
    assert issubclass(source, dt.Shaped), "no Python number"
    fits = call.promoted(operand, Operand(target)) is target if safely else call.system.can_cast(source, target)
    if not fits:
        raise Refused(not_cast(call.system.dialect.library, source, target))


def _is_inexact(dtype: dt.OperandType) -> bool:
    return dtype.kind in "fc" and dtype.name not in CASTS
