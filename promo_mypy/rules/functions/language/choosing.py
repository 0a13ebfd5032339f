"""Rules made of rules: one or another of them, several results, a rule for each item."""

from collections.abc import Container
from dataclasses import replace
from typing import ClassVar

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Items, Many, with_dimensions
from promo_mypy.rules.functions.language.calls import Call, Refused, Unresolved
from promo_mypy.rules.functions.language.protocols import Answer, Part, Repeated, Rule, one
from promo_mypy.rules.functions.language.vocabulary import Default
from promo_mypy.rules.operands import Form
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import rule


@rule
class If(Rule):
    """One rule or another, by an argument: whether it is given, whether it is `value`, or true where that is True."""

    name: str
    then: Rule
    otherwise: Rule
    value: object = None

    def answer(self, call: Call) -> Answer:
        """An argument that is not known leaves the answer open, unless both rules agree, or one of them refuses."""
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
    """One rule where the argument is a Python number, another where it is an array or a sequence."""

    name: str
    then: Rule
    otherwise: Rule

    def answer(self, call: Call) -> Answer:
        """A number that is written out, or a variable that holds one."""
        number = issubclass(call.operand(self.name).dtype, dt.PythonScalar)
        return (self.then if number else self.otherwise).answer(call)


@rule
class IfKind(Rule):
    """One rule where the argument's dtype is of one of the kinds: a number, an array or a sequence; else another."""

    name: str
    kinds: str
    then: Rule
    otherwise: Rule

    def answer(self, call: Call) -> Answer:
        """Some functions compute nothing then, and pick."""
        chosen = call.operand(self.name).dtype.kind in self.kinds
        return (self.then if chosen else self.otherwise).answer(call)


@rule
class IfScalar(Rule):
    """One rule where one of the arguments, or every one, is a number or an array without dimensions, else another."""

    names: str
    then: Rule
    otherwise: Rule
    every: bool = False

    def answer(self, call: Call) -> Answer:
        """Libraries compute with such an array in a way of its own, or not at all."""
        scalars = [operand.form is not Form.ARRAY for operand in call.operands(*self.names.split())]
        chosen = all(scalars) if self.every else any(scalars)
        return (self.then if chosen else self.otherwise).answer(call)

    def asks_rank(self, system: PromotionSystem) -> bool:  # noqa: ARG002 (the interface)
        """Of the arguments."""
        return True


@rule
class WithDimensions(Rule):
    """The rule for arrays that all have dimensions: the function gives them some before it computes."""

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """No array yields to another then."""
        bound = {name: with_dimensions(argument) for name, argument in call.bound.items()}
        return self.rule.answer(replace(call, bound=bound))

    def asks_rank(self, system: PromotionSystem) -> bool:  # noqa: ARG002 (the interface)
        """It does not."""
        return False


@rule
class Several(Rule):
    """A tuple with one result for each rule."""

    rules: tuple[Rule, ...]

    @classmethod
    def of(cls, *rules: Rule) -> "Several":
        """The rules in order."""
        return cls(rules)

    def answer(self, call: Call) -> Answer:
        """A rule that gives nothing, or cannot tell, leaves its place out of what is known; not all of them may."""
        parts = tuple(part(_known(rule, call)) for rule in self.rules)
        if not any(parts):
            raise Unresolved
        return parts


@rule
class Listed(Rule):
    """A list or tuple of arrays of the rule's dtype; its length is not known."""

    rule: Rule

    def kept(self, given: Container[str]) -> str:
        """As the rule."""
        return self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """For example the parts that `split` makes."""
        return Repeated(one(call, self.rule))


@rule
class Each(Rule):
    """The rule for each of the arrays in a sequence: a tuple of as many results; one array gives one result."""

    name: str
    rule: Rule
    """It has the one array under the same name."""
    single: bool = False
    """Whether one array alone gives one result, not a tuple of one."""

    def answer(self, call: Call) -> Answer:
        """The library makes a list or a tuple of them."""
        argument = call.bound[self.name]
        if isinstance(argument, Many):
            return Repeated(one(replace(call, bound={**call.bound, self.name: argument.item}), self.rule))
        items = argument.items if isinstance(argument, Items) else (argument,)
        answers = tuple(part(self.rule.answer(replace(call, bound={**call.bound, self.name: item}))) for item in items)
        return answers[0] if self.single and len(answers) == 1 else answers


@rule
class OrOpen(Rule):
    """The rule's result; where it refuses, the library computes with Python objects or in a dtype of its own choice."""

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """Not known in place of a refusal."""
        try:
            return self.rule.answer(call)
        except Refused as refused:
            raise Unresolved from refused


@rule
class LastWord(Rule):
    """The rule's result; where that is not known, what the library's own types say is not true of every call."""

    is_last_word: ClassVar[bool] = True

    rule: Rule

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps."""
        return self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """As the rule says."""
        return self.rule.answer(call)


@rule
class Checked(Rule):
    """The rule's result, if another rule does not refuse the arguments."""

    rule: Rule
    check: Rule

    def answer(self, call: Call) -> Answer:
        """For functions whose result says nothing of what they compute with."""
        self.check.answer(call)
        return self.rule.answer(call)


def with_indices(rule: Rule, *flags: str) -> Rule:
    """The rule's result, and an array of indices for each of the flags that is true: a tuple if there is one."""

    def after(indices: int, remaining: tuple[str, ...]) -> Rule:
        if not remaining:
            return Several.of(rule, *[Default("i")] * indices) if indices else rule
        return If(remaining[0], after(indices + 1, remaining[1:]), after(indices, remaining[1:]), value=True)

    return after(0, flags)


def _known(rule: Rule, call: Call) -> Answer:
    try:
        return rule.answer(call)
    except Unresolved:
        return None


def part(answer: Answer) -> Part:
    """An answer inside a tuple; tuples of tuples are not known."""
    return None if isinstance(answer, tuple) else answer
