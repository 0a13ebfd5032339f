"""What a rule is: from the arguments of a call to the dtype of its result, or to the rank."""

from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from typing import ClassVar

from promo_mypy.rules.dtypes import PythonScalar, Shaped
from promo_mypy.rules.functions.language.arguments import Argument
from promo_mypy.rules.functions.language.calls import Call, DType, Unresolved
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.ranks import RankFacts
from promo_mypy.rules.records import record

Single = type[Shaped] | type[PythonScalar]


@record
class Repeated:
    """A tuple or list of arrays whose length depends on shapes or values; they are all of one dtype."""

    of: Single


Part = Single | Repeated | None
Answer = Part | tuple[Part, ...]
"""A dtype; the class of a Python scalar where no array comes out; a tuple of those; None where it is not known."""


class Rule(ABC):
    """What a function makes of its arguments."""

    __slots__: tuple[str, ...] = ()

    takes_dtypes: ClassVar[bool] = False
    """Whether dtypes may stand among the arrays, by name or as a string."""
    checks: ClassVar[bool] = False
    """Whether the call may be refused, though it keeps the dtype of its array."""
    is_last_word: ClassVar[bool] = False
    """Whether nothing is known of a result that the rule does not know, whatever the library's own types say."""

    @property
    def promotes(self) -> bool:
        """Whether a promotion system decides, and not the library alone: if a rule in it does, and if there is none."""
        inner = [rule.promotes for rule in self.inner]
        return any(inner) or not inner

    @property
    def inner(self) -> Sequence["Rule"]:
        """The rules that it is made of."""
        held: list[object] = [getattr(self, name) for name in self.__slots__]
        rules = [rule for value in held for rule in (value if isinstance(value, tuple) else (value,))]
        return [rule for rule in rules if isinstance(rule, Rule)]

    def asks_rank(self, system: PromotionSystem) -> bool:
        """Whether the answer may be another for arrays without dimensions, though the system promotes them alike."""
        return any(rule.asks_rank(system) for rule in self.inner)

    def kept(self, given: Container[str]) -> str:  # noqa: ARG002 (the interface)
        """The parameter whose array lends the result its dtype, whatever that is, where these parameters are given.

        "" where there is none.
        """
        return ""

    @abstractmethod
    def answer(self, call: Call) -> Answer:
        """The dtype of the result. Raises Unresolved, Refused."""


class NeverPromotes(Rule):
    """A rule whose answer no promotion system decides: it casts, or does not look at the arrays."""

    __slots__ = ()

    @property
    def promotes(self) -> bool:
        """The library alone decides."""
        return False


def one(call: Call, rule: Rule) -> DType:
    """The one dtype that the rule gives. Raises Unresolved if it gives anything else, Refused."""
    answer = rule.answer(call)
    if isinstance(answer, type) and issubclass(answer, Shaped):
        return answer
    raise Unresolved


Bound = Mapping[str, Argument]
"""Parameter -> what a call gives it."""


class RankRule(ABC):
    """What a function makes of the ranks of its arguments."""

    __slots__ = ()

    @abstractmethod
    def rank(self, bound: Bound) -> RankFacts:
        """What is known of the rank of the result."""
