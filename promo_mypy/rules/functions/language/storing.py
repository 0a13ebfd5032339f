"""Rules for arrays that a function writes to: `out=`, and functions that change their argument."""

from collections.abc import Container
from contextlib import suppress
from enum import Enum, auto
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Items, Many, Value
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.protocols import Answer, Rule, one
from promo_mypy.rules.records import rule
from promo_mypy.rules.wording import reasons

_ALIKE: Final = {"b": "i", "u": "i"}


class Fit(Enum):
    """Which dtypes an array for the result may have."""

    CAST = auto()
    """Those that the call casts the result to: by its argument `casting`, or as an in-place operation."""
    ANY = auto()
    SAME = auto()
    """The dtype of the result."""
    READ = auto()
    """Those that cast safely to the dtype of the result: the function first reads the array."""
    KIND = auto()
    """Those of the kind of the result: complex numbers, other floats, or integers and bools."""


def casting_of(call: Call) -> object:
    """Which casts the call makes, as NumPy names them. Raises `Unresolved` if its argument `casting` is unknown."""
    return call.value("casting") if "casting" in call.bound else "same_kind"


def casts(call: Call, source: DType, target: DType) -> bool:
    """Whether the call casts one dtype to another. Raises `Unresolved` if its argument `casting` is unknown."""
    return call.system.casts(source, target, casting_of(call))


@rule
class Into(Rule):
    """The array given as `out=`, if the rule's result may be stored there; without one, the rule's result."""

    rule: Rule
    name: str = "out"
    fit: Fit = Fit.CAST

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps, unless `out` is given."""
        return "" if self.name in given else self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """A tuple with one array stands for the array. Its dtype is known, even if that of the result is not."""
        if not call.given(self.name):
            return self.rule.answer(call)
        argument = call.bound[self.name]
        if isinstance(argument, Items) and len(argument.items) == 1:
            argument = argument.items[0]
        if argument == Value(None) or isinstance(argument, Items | Many):  # a sequence is for several results
            return self.rule.answer(call)
        target = call.as_operand(argument).dtype
        if issubclass(target, dt.PythonScalar):
            raise Unresolved
        with suppress(Unresolved):
            result = one(call, self.rule)
            if not self._fits(call, result, target):
                raise Refused(reasons.cannot_store(call.system.dialect.library, result, target))
        return target

    def _fits(self, call: Call, result: DType, target: DType) -> bool:
        match self.fit:
            case Fit.CAST:
                return casts(call, result, target)
            case Fit.SAME:
                return result is target
            case Fit.READ:
                return call.system.casts(target, result, "safe")
            case Fit.KIND:
                return _ALIKE.get(result.kind, result.kind) == _ALIKE.get(target.kind, target.kind)
            case Fit.ANY:
                return True


@rule
class InPlace(Rule):
    """The array itself, if the rule's result may be stored in it."""

    rule: Rule
    name: str

    @property
    def checks(self) -> bool:
        """It rejects results of other dtypes."""
        return True

    def kept(self, given: Container[str]) -> str:  # noqa: ARG002 (the interface)
        """The array, whose dtype cannot change."""
        return self.name

    def answer(self, call: Call) -> Answer:
        """The dtype of the array, even if the stored dtype is unknown."""
        target = call.promoted(call.operand(self.name))
        with suppress(Unresolved):
            Into(self.rule, self.name).answer(call)
        return target
