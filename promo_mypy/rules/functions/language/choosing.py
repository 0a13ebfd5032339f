"""Combine rules: choose one, give several results, apply one to each item."""

from collections.abc import Container
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Argument, Items, Many, Value, scalar_of, with_dimensions
from promo_mypy.rules.functions.language.calls import Call, Refused, Unresolved
from promo_mypy.rules.functions.language.protocols import Answer, Part, Repeated, Rule, one
from promo_mypy.rules.functions.language.vocabulary import Default
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
class Several(Rule):
    """A tuple with one result for each rule."""

    rules: tuple[Rule, ...]

    @classmethod
    def of(cls, *rules: Rule) -> "Several":
        """The rules in order."""
        return cls(rules)

    def answer(self, call: Call) -> Answer:
        """Places whose rule has no answer are unknown. At least one rule must answer."""
        parts = tuple(part(_known(rule, call)) for rule in self.rules)
        if not any(parts):
            raise Unresolved
        return parts


@rule
class Listed(Rule):
    """A list or tuple of arrays of the rule's dtype; its length is unknown."""

    rule: Rule

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps."""
        return self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """For example the parts that `split` makes."""
        return Repeated(one(call, self.rule))


@rule
class Each(Rule):
    """The rule applied to each array in a sequence, with a tuple of results. A single array gives one result."""

    name: str
    rule: Rule
    """The rule reads each array under the same name."""
    single: bool = False
    """Whether a sequence with one array gives one result, not a tuple."""

    def answer(self, call: Call) -> Answer:
        """The results in a list or tuple."""
        argument = call.bound[self.name]
        if isinstance(argument, Many):
            return Repeated(one(replace(call, bound={**call.bound, self.name: argument.item}), self.rule))
        items = argument.items if isinstance(argument, Items) else (argument,)
        answers = tuple(part(self.rule.answer(replace(call, bound={**call.bound, self.name: item}))) for item in items)
        return answers[0] if self.single and len(answers) == 1 else answers


@rule
class EachAxis(Rule):
    """One array for a single axis, a tuple with an array for each of several: what NumPy's `gradient` returns.

    Without an axis all count: as many as there are arrays of coordinates, unknown for a number or for none. A scalar
    and an array of rank 0 have none: NumPy returns an empty tuple, whatever the dtype.
    """

    rule: Rule
    array: str
    axes: str
    coordinates: str

    def answer(self, call: Call) -> Answer:
        """The dtype of the rule in as many places as there are axes."""
        array = call.bound[self.array]
        if isinstance(array, Operand) and array.form is not Form.ARRAY:
            raise Unresolved
        dtype, count = one(call, self.rule), self._count(call)
        return dtype if count == 1 else (dtype,) * count

    def _count(self, call: Call) -> int:
        match call.bound[self.axes], call.bound.get(self.coordinates):
            case (Value(int()), _):
                return 1
            case (Operand(dtype), _) if issubclass(dtype, dt.PythonScalar):
                return 1
            case (Items(items), _) if items:
                return len(items)
            case (Value(None), Items(items)) if items and all(map(_is_array, items)):
                return len(items)
            case _:
                raise Unresolved


def _is_array(argument: Argument) -> bool:
    return isinstance(argument, Operand) and argument.form is Form.ARRAY


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


def with_indices(rule: Rule, *flags: str) -> Rule:
    """The rule's result, with an array of indices for each flag that is true. With indices it is a tuple."""

    def after(indices: int, remaining: tuple[str, ...]) -> Rule:
        if not remaining:
            return Several.of(rule, *[Default("i")] * indices) if indices else rule
        return If(remaining[0], after(indices + 1, remaining[1:]), after(indices, remaining[1:]), value=True)

    return after(0, flags)


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


def _known(rule: Rule, call: Call) -> Answer:
    try:
        return rule.answer(call)
    except Unresolved:
        return None


def part(answer: Answer) -> Part:
    """An answer inside a tuple; nested tuples are unknown."""
    return None if isinstance(answer, tuple) else answer
