"""Infer the number of dimensions of a result. A row states such a rule beside the rule of its dtype.

Only libraries in which a 0-d array yields to an n-d one state ranks (PyTorch, PaddlePaddle). In others few
dtypes depend on a rank (`Rule.asks_rank`), and ranks are not inferred. A rule gets the arguments by parameter, with
`Ranked` in place of arrays. If there are several results, or a sequence of them, all have the same rank.
"""

from promo_mypy.rules import ranks
from promo_mypy.rules.dtypes import PythonScalar
from promo_mypy.rules.functions.language.arguments import (
    Argument,
    Arguments,
    Items,
    Many,
    Ranked,
    Sizes,
    Unknown,
    Value,
    scalar_of,
)
from promo_mypy.rules.functions.language.protocols import Bound, RankRule
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.ranks import AT_LEAST_ONE, UNKNOWN_RANK, RankFacts, broadcast
from promo_mypy.rules.records import rule

_NONE = Value(None)


def result_rank(row: Row, arguments: Arguments) -> RankFacts:
    """The known facts about the rank of the result of a call."""
    bound = signature(row.signature).bind(arguments) if row.rank is not None else None
    return UNKNOWN_RANK if row.rank is None or bound is None else row.rank.rank(bound)


@rule
class Unstated(RankRule):
    """An unknown rank, as a branch of another rule."""

    def rank(self, bound: Bound) -> RankFacts:  # noqa: ARG002 (the interface)
        """Unknown."""
        return UNKNOWN_RANK


@rule
class Exactly(RankRule):
    """A constant rank."""

    dimensions: int

    def rank(self, bound: Bound) -> RankFacts:  # noqa: ARG002 (the interface)
        """The same for all arguments."""
        return RankFacts.of(self.dimensions)


@rule
class Kept(RankRule):
    """The rank of an argument, plus or minus a constant. The rank of a list is its depth."""

    name: str
    more: int = 0

    def rank(self, bound: Bound) -> RankFacts:
        """Never negative."""
        return _rank_of(bound.get(self.name, _NONE)).shifted(self.more)


@rule
class Positive(RankRule):
    """At least one dimension."""

    def rank(self, bound: Bound) -> RankFacts:  # noqa: ARG002 (the interface)
        """The exact rank depends on values."""
        return AT_LEAST_ONE


@rule
class AtLeast(RankRule):
    """The rank of a rule, or that many dimensions if it is smaller."""

    dimensions: int
    rule: RankRule

    def rank(self, bound: Bound) -> RankFacts:
        """Arrays are padded with dimensions in front."""
        rank = self.rule.rank(bound)
        return AT_LEAST_ONE if rank.exact is None else RankFacts.of(max(rank.exact, self.dimensions))


@rule
class Broadcast(RankRule):
    """The rank of the broadcast arguments, which is the largest one; "*arrays" stands for each item."""

    names: str
    more: int = 0

    def rank(self, bound: Bound) -> RankFacts:
        """Arguments that are None do not count."""
        given = (bound.get(name.removeprefix("*"), _NONE) for name in self.names.split())
        found = [_rank_of(item) for argument in given for item in self._items(argument) if item != _NONE]
        return broadcast(*found).shifted(self.more) if found else UNKNOWN_RANK

    def _items(self, argument: Argument) -> tuple[Argument, ...]:
        if "*" not in self.names:
            return (argument,)
        match argument:
            case Items(items):
                return items
            case Many(item):
                return (item,)
            case _:
                return (argument,)


@rule
class Reduced(RankRule):
    """The rank of an argument without the reduced dimensions. Without an axis all are reduced."""

    name: str
    axes: str = "dim"
    keeps: str = "keepdim"

    def rank(self, bound: Bound) -> RankFacts:
        """Even a 0-d array may be reduced along dimension -1."""
        rank, keeps = _rank_of(bound[self.name]), bound.get(self.keeps, Value(False))
        if keeps == Value(True):
            return rank
        axes = bound.get(self.axes, _NONE)
        taken = None if axes in (_NONE, Items(())) else _count(axes)
        if keeps != Value(False) or (taken is None and axes not in (_NONE, Items(()))):
            return UNKNOWN_RANK
        if taken is None:
            return RankFacts.of(0)
        return UNKNOWN_RANK if rank.exact is None else RankFacts.of(max(rank.exact - taken, 0))


@rule
class Sized(RankRule):
    """The number of sizes: one sequence, or one argument each."""

    name: str

    def rank(self, bound: Bound) -> RankFacts:
        """Unknown for a sequence of unknown length."""
        argument = bound.get(self.name, _NONE)
        if isinstance(argument, Items) and len(argument.items) == 1:  # `zeros(x.shape)`
            argument = argument.items[0] if isinstance(argument.items[0], Sizes) else argument
        if isinstance(argument, Sizes):
            return argument.rank
        count = _count(argument)
        return UNKNOWN_RANK if count is None else RankFacts.of(count)


@rule
class Tiled(RankRule):
    """The rank of an argument, or the number of repeats if that is larger."""

    name: str
    repeats: str

    def rank(self, bound: Bound) -> RankFacts:
        """Both are padded in front."""
        return broadcast(_rank_of(bound[self.name]), Sized(self.repeats).rank(bound))


@rule
class Multiplied(RankRule):
    """The rank of the matrix product of two arguments."""

    left: str
    right: str

    def rank(self, bound: Bound) -> RankFacts:
        """The rank of `left @ right`."""
        return ranks.product(_rank_of(bound[self.left]), _rank_of(bound[self.right]))


@rule
class Flattened(RankRule):
    """The rank of an argument after some adjacent dimensions were merged."""

    name: str
    first: str
    last: str

    def rank(self, bound: Bound) -> RankFacts:
        """By default all are merged; a 0-d array becomes 1-d."""
        rank, first, last = _rank_of(bound[self.name]), _whole(bound[self.first]), _whole(bound[self.last])
        if (first, last) == (0, -1) or rank.zero:
            return RankFacts.of(1)
        if rank.exact is None or first is None or last is None:
            return AT_LEAST_ONE
        flattened = last % rank.exact - first % rank.exact
        return RankFacts.of(rank.exact - flattened) if flattened >= 0 else AT_LEAST_ONE


@rule
class Diagonal(RankRule):
    """Turns a vector into a diagonal matrix, and a matrix into its diagonal."""

    name: str

    def rank(self, bound: Bound) -> RankFacts:
        """2 for a vector, 1 for a matrix."""
        rank = _rank_of(bound[self.name]).exact
        return RankFacts.of(3 - rank) if rank in (1, 2) else AT_LEAST_ONE


@rule
class IfGiven(RankRule):
    """One of two rules, chosen by whether an argument is given or, with `array`, whether it is an array."""

    name: str
    then: RankRule
    otherwise: RankRule
    array: bool = False

    def rank(self, bound: Bound) -> RankFacts:
        """If that is unknown, the facts on which both rules agree."""
        argument = bound.get(self.name, _NONE)
        if isinstance(argument, Unknown):
            found, other = self.then.rank(bound), self.otherwise.rank(bound)
            return found if found == other else UNKNOWN_RANK
        chosen = isinstance(argument, Ranked) if self.array else argument != _NONE
        return (self.then if chosen else self.otherwise).rank(bound)


@rule
class IfEqual(RankRule):
    """One rule if the argument is the literal `value`, another if it is any other literal."""

    name: str
    value: bool | str
    then: RankRule
    otherwise: RankRule

    def rank(self, bound: Bound) -> RankFacts:
        """Unknown if it is not a literal."""
        argument = bound.get(self.name, _NONE)
        if not isinstance(argument, Value):
            return UNKNOWN_RANK
        return (self.then if argument == Value(self.value) else self.otherwise).rank(bound)


def _rank_of(argument: Argument) -> RankFacts:
    """The rank of an array, or of the array that a number or a list becomes."""
    match argument:
        case Ranked(rank):
            return rank
        case Operand(dtype) if issubclass(dtype, PythonScalar):
            return RankFacts.of(0)
        case Value(value) if scalar_of(value) is not None:
            return RankFacts.of(0)
        case Items(()):
            return RankFacts.of(1)
        case Items((first, *_)) | Many(first):
            return _rank_of(first).shifted(1)
        case _:
            return UNKNOWN_RANK


def _count(argument: Argument) -> int | None:
    """The number of numbers; None if unknown."""
    match argument:
        case Items(items):
            return None if any(isinstance(item, Items | Many) for item in items) else len(items)
        case Operand(dtype) if issubclass(dtype, PythonScalar):
            return 1
        case Value(int()):
            return 1
        case _:
            return None


def _whole(argument: Argument) -> int | None:
    return argument.value if isinstance(argument, Value) and isinstance(argument.value, int) else None
