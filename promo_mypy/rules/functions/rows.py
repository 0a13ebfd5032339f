"""A row of the registry: a function, its signature, its rule. A library is tables of rows."""

from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from promo_mypy.rules.dtypes import PythonScalar, Shaped
from promo_mypy.rules.records import record, rule

if TYPE_CHECKING:
    from promo_mypy.rules.functions.calls import Call
    from promo_mypy.rules.functions.rank_rules import RankRule
    from promo_mypy.rules.promotion import PromotionSystem

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

    def asks_rank(self, system: "PromotionSystem") -> bool:
        """Whether the answer may be another for arrays without dimensions, though the system promotes them alike."""
        return any(rule.asks_rank(system) for rule in self.inner)

    def kept(self, given: Container[str]) -> str:  # noqa: ARG002 (the interface)
        """The parameter whose array lends the result its dtype, whatever that is, where these parameters are given.

        "" where there is none.
        """
        return ""

    @abstractmethod
    def answer(self, call: "Call") -> Answer:
        """The dtype of the result. Raises Unresolved, Refused."""


@rule
class Row:
    """One function of one library. Every row is one of a kind, and is looked up by its identity."""

    library: str
    name: str
    """Below the library's own name: "linalg.norm"."""
    signature: str
    """As in Python: "a, axis=None, *, dtype=None"; a default `...` is of no interest."""
    rule: Rule
    rank: "RankRule | None" = None
    """What the rank of the result is, in libraries where ranks decide dtypes; None where it does not say."""

    @property
    def full_name(self) -> str:
        """As a program writes it: "numpy.linalg.norm"."""
        return f"{self.library}.{self.name}"


Rows = Mapping[str, Row]


Entry = tuple[str, str, Rule]
"""Names, signature and rule of functions that share both."""
RankedEntry = tuple[str, str, Rule, "RankRule"]
"""The same with the rule of the rank."""


def table(library: str, *entries: Entry | RankedEntry, under: str = "", rank: "RankRule | None" = None) -> Rows:
    """Rows from entries; `under` is the module below the library that has the functions: "linalg".

    `rank`: the rank rule of entries that state none.
    """
    prefix = f"{under}." if under else ""
    return MappingProxyType(
        {
            prefix + name: Row(library, prefix + name, signature, rule, *(ranked or (rank,)))
            for names, signature, rule, *ranked in entries
            for name in names.split()
        }
    )


@record
class Library:
    """The functions of one array library."""

    name: str
    functions: Rows
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other names of functions -> the function; both below the library's name."""
    array: str = ""
    """The class of its arrays, below the library's name: "ndarray"."""
    shared_methods: Mapping[str, str] = field(default_factory=dict)
    """Methods that are functions of the array -> the function."""
    methods: Rows = field(default_factory=dict)
    """The other methods; the first parameter is the array."""
    attributes: Rows = field(default_factory=dict)
    """Attributes, as functions of the array alone."""

    def function(self, name: str) -> Row | None:
        """The row of a function by any of its names."""
        return self.functions.get(self.aliases.get(name, name))

    def method(self, name: str) -> Row | None:
        """The row of a method of arrays; its first parameter is the array."""
        return self.methods.get(name) or self.function(self.shared_methods.get(name, ""))

    def attribute(self, name: str) -> Row | None:
        """The row of an attribute of arrays; its only parameter is the array."""
        return self.attributes.get(name)


def like(other: Library, names: str, signature: str = "") -> tuple[Entry, ...]:
    """Entries of functions that are those of another library: their rules, and their signatures but for a given one.

    "name=its_name" for a function that has another name there. Raises KeyError for a function that it has not.
    """
    entries = []
    for name, theirs in named(names).items():
        row = other.function(theirs)
        if row is None:
            raise KeyError(f"{other.name} has no function {theirs}")
        entries.append((name, signature or row.signature, row.rule))
    return tuple(entries)


def named(text: str) -> Mapping[str, str]:
    """Name -> other name, from "name=other"; a name that stands alone is its own."""
    return {name: other or name for name, _, other in (entry.partition("=") for entry in text.split())}
