"""Combine rules: choose one, or judge the answer of one."""

from collections.abc import Container
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Argument, Value, scalar_of, with_dimensions
from promo_mypy.rules.functions.language.calls import Call, Refused, Unresolved
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import rule


@rule
class If(Rule):
    """One of two rules, chosen by an argument: whether it is given, equals `value`, or is true if `value` is True."""

    name: str
    then: Rule
    otherwise: Rule
    value: object = None

    def kept(self, given: Container[str]) -> str:
        """What both rules keep."""
        kept = self.then.kept(given)
        return kept if kept == self.otherwise.kept(given) else ""

    def answer(self, call: Call) -> Answer:
        """The result is unknown if the argument is, unless both rules agree or one of them rejects the call."""
        try:
            chosen = self._holds(call)
        except Unresolved:
            return self._either(call)
        return (self.then if chosen else self.otherwise).answer(call)

    def _either(self, call: Call) -> Answer:
        answers, refusals = [], []
        for each in (self.then, self.otherwise):
            try:
                answers.append(each.answer(call))
            except Refused as refused:
                refusals.append(refused)
        if not answers:
            raise refusals[0]
        if answers[0] != answers[-1]:
            raise Unresolved
        return answers[0]

    def _holds(self, call: Call) -> bool:
        if self.value is None:
            return call.given(self.name)
        return bool(call.value(self.name)) if self.value is True else call.value(self.name) == self.value


@rule
class IfNumber(Rule):
    """One rule if the argument is a Python number, another if it is an array or a sequence."""

    name: str
    then: Rule
    otherwise: Rule

    def answer(self, call: Call) -> Answer:
        """A literal or a variable counts as a number."""
        number = issubclass(call.operand(self.name).dtype, dt.PythonScalar)
        return (self.then if number else self.otherwise).answer(call)


@rule
class IfKind(Rule):
    """One rule if the dtype of the argument has one of the kinds, another if not. It may be a number or a sequence."""

    name: str
    kinds: str
    then: Rule
    otherwise: Rule

    def answer(self, call: Call) -> Answer:
        """Some functions only select elements of these kinds."""
        chosen = call.operand(self.name).dtype.kind in self.kinds
        return (self.then if chosen else self.otherwise).answer(call)


@rule
class IfScalar(Rule):
    """One rule if one of the arguments, or each of them, is a number, a text or a 0-d array, another if not."""

    names: str
    then: Rule
    otherwise: Rule
    every: bool = False

    def answer(self, call: Call) -> Answer:
        """Libraries have rules of their own for a 0-d array, or reject it."""
        names = [name for name in self.names.split() if not is_text(call.bound.get(name))]
        scalars = [operand.form is not Form.ARRAY for operand in call.operands(*names)] if names else [True]
        chosen = all(scalars) if self.every else any(scalars)
        return (self.then if chosen else self.otherwise).answer(call)

    def asks_rank(self, system: PromotionSystem) -> bool:  # noqa: ARG002 (the interface)
        """Whether the form of an argument matters."""
        return True


@rule
class WithDimensions(Rule):
    """The rule applied as if no array were 0-d: the function adds dimensions before it computes."""

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """The rule's answer, where no array yields to another."""
        bound = {name: with_dimensions(argument) for name, argument in call.bound.items()}
        return self.rule.answer(replace(call, bound=bound))

    def asks_rank(self, system: PromotionSystem) -> bool:  # noqa: ARG002 (the interface)
        """False: all ranks are alike."""
        return False


@rule
class AsNumbers(Rule):
    """The rule with some arrays as Python numbers of their kinds: a parameter for numbers also takes a 0-d array."""

    names: str
    rule: Rule
    beside: bool = False
    """Whether arrays count as numbers only beside a number among these arguments."""

    def answer(self, call: Call) -> Answer:
        """Only the kind of such an array matters."""
        given = {name: call.bound[name] for name in self.names.split()}
        if self.beside and not any(map(is_number, given.values())):
            return self.rule.answer(call)
        numbers = {name: _as_number(argument) for name, argument in given.items()}
        return self.rule.answer(replace(call, bound={**call.bound, **numbers}))


@rule
class OrUnknown(Rule):
    """The rule's result; unknown where the rule rejects the call. The library then uses objects or another dtype."""

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """Turns `Refused` into `Unresolved`."""
        try:
            return self.rule.answer(call)
        except Refused as refused:
            raise Unresolved from refused


@rule
class LastWord(Rule):
    """The rule's result. If it is unknown, the dtype is unknown: the library's stubs are wrong for some calls."""

    is_last_word: ClassVar[bool] = True

    rule: Rule

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps."""
        return self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """The rule's answer."""
        return self.rule.answer(call)


@rule
class OfOneClass(Rule):
    """The rule's result. If it is unknown, the class in the stubs is right: a norm is a float of any width."""

    is_of_one_class: ClassVar[bool] = True

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """The rule's answer."""
        return self.rule.answer(call)


@rule
class Checked(Rule):
    """The rule's result, if another rule accepts the arguments."""

    rule: Rule
    check: Rule

    def answer(self, call: Call) -> Answer:
        """The check comes first. It may be about the dtype in which the function computes."""
        self.check.answer(call)
        return self.rule.answer(call)


@rule
class CheckedIfKnown(Rule):
    """The rule's result, unless another rule rejects the arguments. An unknown answer of that rule does not matter."""

    rule: Rule
    check: Rule

    def answer(self, call: Call) -> Answer:
        """The check comes first. It may be about an argument that must have the dtype of the others."""
        with suppress(Unresolved):
            self.check.answer(call)
        return self.rule.answer(call)


def is_number(argument: Argument) -> bool:
    """Whether an argument is a Python number."""
    if isinstance(argument, Operand):
        return issubclass(argument.dtype, dt.PythonScalar)
    return isinstance(argument, Value) and scalar_of(argument.value) is not None


def is_text(argument: Argument | None) -> bool:
    """Whether an argument is a string that is known."""
    return isinstance(argument, Value) and isinstance(argument.value, str)


def _as_number(argument: Argument) -> Argument:
    if not isinstance(argument, Operand) or issubclass(argument.dtype, dt.PythonScalar):
        return argument
    kind = "i" if argument.dtype.kind == "u" else argument.dtype.kind
    return Operand(next(scalar for scalar in dt.PYTHON_SCALARS.values() if scalar.kind == kind))
