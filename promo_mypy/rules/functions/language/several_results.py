"""Combine rules of functions that return several arrays: a tuple, a list, an array for each axis."""

from collections.abc import Container
from dataclasses import replace

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Argument, Items, Many, Value
from promo_mypy.rules.functions.language.calls import Call, Unresolved
from promo_mypy.rules.functions.language.choosing import If
from promo_mypy.rules.functions.language.protocols import Answer, Part, Repeated, Rule, one
from promo_mypy.rules.functions.language.vocabulary import Default
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.records import rule


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


def with_indices(rule: Rule, *flags: str) -> Rule:
    """The rule's result, with an array of indices for each flag that is true. With indices it is a tuple."""

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
    """An answer inside a tuple; nested tuples are unknown."""
    return None if isinstance(answer, tuple) else answer
