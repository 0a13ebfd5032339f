"""Facts about the number of dimensions of a tensor, and their form as a type argument.

The rank decides a dtype only if a 0-d array yields to an n-d one (PyTorch, Paddle). `Rank` has one type
parameter for each fact that may be known; a known fact is `Known`, an unknown one is `Any`. Two ranks
are therefore always compatible with each other (shapes are not what this project checks), but they are different types,
so that a join keeps exactly the facts that both sides share.
"""

from typing import Final, Generic, Self, TypeVar

from promo_mypy.rules.records import record


class Known:
    """The fact at this position of `Rank` holds."""


_ZeroD = TypeVar("_ZeroD", covariant=True)
_ND = TypeVar("_ND", covariant=True)
_1D = TypeVar("_1D", covariant=True)
_2D = TypeVar("_2D", covariant=True)
_3D = TypeVar("_3D", covariant=True)
_4D = TypeVar("_4D", covariant=True)
_5D = TypeVar("_5D", covariant=True)
_6D = TypeVar("_6D", covariant=True)

#: The positions of `Rank`: 0-d, at least one dimension, then exactly 1 ... `LARGEST` dimensions.
LARGEST: Final = 6
POSITIONS: Final = 2 + LARGEST


class Rank(Generic[_ZeroD, _ND, _1D, _2D, _3D, _4D, _5D, _6D]):
    """What is known about the rank of a tensor, as a type argument of its class."""


@record
class RankFacts:
    """`exact` is the number of dimensions, or None; `positive` is True if there is at least one."""

    exact: int | None = None
    positive: bool = False

    @classmethod
    def of(cls, dimensions: int) -> Self:
        """The facts about an array of exactly that many dimensions (>= 0)."""
        return cls(dimensions, dimensions > 0)

    @property
    def zero(self) -> bool:
        """Whether the array is certainly 0-d."""
        return self.exact == 0

    def shifted(self, added: int) -> "RankFacts":
        """The facts after `added` dimensions were added (removed, if negative)."""
        if self.exact is not None:
            return RankFacts.of(self.exact + added) if self.exact + added >= 0 else UNKNOWN_RANK
        return AT_LEAST_ONE if added > 0 or (self.positive and added == 0) else UNKNOWN_RANK

    def positions(self) -> tuple[bool, ...]:
        """For each position of `Rank`, whether it is `Known`. For a rank above `LARGEST`, only `positive` is known."""
        exact = tuple(self.exact == dimensions for dimensions in range(1, LARGEST + 1))
        return (self.zero, self.positive, *exact)

    @classmethod
    def from_positions(cls, known: tuple[bool, ...]) -> Self:
        """The inverse of `positions`; contradictory facts give an unknown rank."""
        exact = [dimensions for dimensions, holds in enumerate(known[2:], start=1) if holds]
        if known[0]:
            return cls() if known[1] else cls.of(0)
        return cls.of(exact[0]) if len(exact) == 1 else cls(None, known[1])


UNKNOWN_RANK: Final = RankFacts()
AT_LEAST_ONE: Final = RankFacts(None, True)


def shared(one: RankFacts, other: RankFacts) -> RankFacts:
    """What is known of both ranks."""
    pairs = zip(one.positions(), other.positions(), strict=True)
    return RankFacts.from_positions(tuple([left and right for left, right in pairs]))


def broadcast(*operands: RankFacts) -> RankFacts:
    """The rank of an elementwise result: the largest rank of the operands, as far as it is known."""
    exact = [facts.exact for facts in operands]
    if all(dimensions is not None for dimensions in exact):
        return RankFacts.of(max(dimensions for dimensions in exact if dimensions is not None))
    return AT_LEAST_ONE if any(facts.positive for facts in operands) else UNKNOWN_RANK


def product(left: RankFacts, right: RankFacts) -> RankFacts:
    """The rank of the matrix product: a 1-d operand loses its dimension, the others broadcast."""
    if left.exact is None or right.exact is None:
        return UNKNOWN_RANK
    if 1 in (left.exact, right.exact):
        return RankFacts.of(left.exact + right.exact - 2) if left.exact and right.exact else UNKNOWN_RANK
    return broadcast(left, right)
