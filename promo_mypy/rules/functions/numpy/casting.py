"""What NumPy's functions cast to another dtype, and what they reject. Source: running NumPy 2.4."""

from collections.abc import Container
from contextlib import suppress

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.function_reasons import not_cast
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.functions.language.storing import casts
from promo_mypy.rules.functions.language.vocabulary import Inferred, Same
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule
from promo_mypy.rules.systems.numpy_extensions import CASTS


@rule
class CastTo(Rule):
    """The dtype argument, if every array may be cast to it; without one, the rule's result."""

    rule: Rule
    names: str

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps, unless a dtype is given."""
        return "" if "dtype" in given else self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """Which casts are allowed is an argument of the call. An unknown array may be one that fits."""
        dtype = call.dtype("dtype")
        if dtype is None:
            return self.rule.answer(call)
        _check_all(call, self.names, dtype)
        return dtype


@rule
class CastInto(Rule):
    """The array given as `out=`, if every array may be cast to its dtype; without one, the rule's result."""

    rule: Rule
    names: str

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps, unless `out` is given."""
        return "" if "out" in given else self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """The arrays need not promote with each other."""
        if not call.given("out"):
            return self.rule.answer(call)
        target = call.promoted(call.operand("out"))
        _check_all(call, self.names, target)
        return target


@rule
class Inexact(Rule):
    """The rule's result, for a function that leaves out NaN.

    It computes floats and complex numbers in such dtypes only, and rejects a dtype argument or an `out` of another
    kind.
    """

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """An unknown array may be one of integers."""
        with suppress(Unresolved):
            asked = [call.dtype("dtype"), call.promoted(call.operand("out")) if call.given("out") else None]
            for dtype in filter(None, asked if _is_inexact(call.operand("a").dtype) else ()):
                if not _is_inexact(dtype):
                    call.refuse(dtype)
        return self.rule.answer(call)


@rule
class WithoutNan(Rule):
    """An array in which numbers replace NaN and infinity, in the real and in the imaginary part."""

    name: str
    numbers: str
    """The names of the arguments with these numbers."""
    kinds: str = "fc"
    """The kinds of arrays for which complex numbers are rejected."""

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


def _check_all(call: Call, names: str, target: DType) -> None:
    with suppress(Unresolved):
        for operand in call.operands(*names.split(), full=True):
            _check(call, operand, target)


def _check(call: Call, operand: Operand, target: DType) -> None:
    source = operand.dtype
    assert issubclass(source, dt.Shaped), "no Python number"
    if not casts(call, source, target):
        raise Refused(not_cast(call.system.dialect.library, source, target))


def _is_inexact(dtype: dt.OperandType) -> bool:
    return dtype.kind in "fc" and dtype.name not in CASTS
