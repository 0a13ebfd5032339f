"""The interface of rules: infer the dtype, or the rank, of a result from the arguments of a call."""

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
    """A tuple or list of arrays of one dtype, whose length depends on shapes or values."""

    of: Single


Part = Single | Repeated | None
Answer = Part | tuple[Part, ...]
"""A dtype; the class of a Python scalar; a tuple of those; None for an unknown result."""


class Rule(ABC):
    """Infers the dtype of a result."""

    __slots__: tuple[str, ...] = ()

    takes_dtypes: ClassVar[bool] = False
    """Whether dtypes may be passed among the arrays, as objects or strings."""
    is_last_word: ClassVar[bool] = False
    """Whether a result that the rule does not know is unknown, whatever the library's stubs declare."""
    is_of_one_class: ClassVar[bool] = False
    """Whether the class that the library's stubs declare is right for a result that the rule does not know."""

    @property
    def checks(self) -> bool:
        """Whether the call may be rejected although it keeps the dtype of its array: if an inner rule checks."""
        return any(rule.checks for rule in self.inner)

    @property
    def promotes(self) -> bool:
        """Whether a promotion system decides the result: if an inner rule promotes, or if there is no inner rule."""
        inner = [rule.promotes for rule in self.inner]
        return any(inner) or not inner

    @property
    def stores(self) -> bool:
        """Whether a rejected call is a rejected write into an array."""
        return False

    @property
    def goes_on(self) -> "Rule | None":
        """The rule of the result of a rejected call, if the library only announces an error."""
        return None

    @property
    def remedies(self) -> Mapping[str, str]:
        """Parameter -> its name in a remedy: after a refusal, one of them is to be cast. All arrays if empty."""
        return {}

    @property
    def inner(self) -> Sequence["Rule"]:
        """The inner rules."""
        held: list[object] = [getattr(self, name) for name in self.__slots__]
        rules = [rule for value in held for rule in (value if isinstance(value, tuple) else (value,))]
        return [rule for rule in rules if isinstance(rule, Rule)]

    def asks_rank(self, system: PromotionSystem) -> bool:
        """Whether 0-d arrays may have another result, although the system promotes them like others."""
        return any(rule.asks_rank(system) for rule in self.inner)

    def kept(self, given: Container[str]) -> str:  # noqa: ARG002 (the interface)
        """The parameter whose array always has the dtype of the result, if these parameters are given.

        "" if there is no such parameter.
        """
        return ""

    def takes_any(self, call: Call) -> bool:  # noqa: ARG002 (the interface)
        """Whether the arrays of this call may have dtypes that the library lacks."""
        return False

    @abstractmethod
    def answer(self, call: Call) -> Answer:
        """The dtype of the result. Raises `Unresolved` and `Refused`."""


class NeverPromotes(Rule):
    """A rule whose answer no promotion system decides: it casts, or does not look at the arrays."""

    __slots__ = ()

    @property
    def promotes(self) -> bool:
        """False: only the library decides."""
        return False


def one(call: Call, rule: Rule) -> DType:
    """The single dtype that the rule gives. Raises `Unresolved` for any other answer, and `Refused`."""
    answer = rule.answer(call)
    if isinstance(answer, type) and issubclass(answer, Shaped):
        return answer
    raise Unresolved


Bound = Mapping[str, Argument]
"""Parameter -> argument."""


class RankRule(ABC):
    """Infers the rank of a result."""

    __slots__ = ()

    @abstractmethod
    def rank(self, bound: Bound) -> RankFacts:
        """The known facts about the rank of the result."""
