"""The rows of the registry: a function, its signature, its rule. A library consists of tables of rows."""

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from promo_mypy.rules.functions.language.protocols import RankRule, Rule
from promo_mypy.rules.records import record, rule


@rule
class Row:
    """One function of one library. Rows are compared by identity."""

    library: str
    name: str
    """Below the library's own name: "linalg.norm"."""
    signature: str
    """As in Python: "a, axis=None, *, dtype=None"; `...` is a default that no rule reads."""
    rule: Rule
    rank: RankRule | None = None
    """The rank of the result, in libraries where ranks decide dtypes; None if the row does not state it."""

    @property
    def full_name(self) -> str:
        """As a program writes it: "numpy.linalg.norm"."""
        return f"{self.library}.{self.name}"


Rows = Mapping[str, Row]


Entry = tuple[str, str, Rule]
"""Names of functions, with their common signature and rule."""
RankedEntry = tuple[str, str, Rule, RankRule]
"""The same, with a rank rule."""


def table(library: str, *entries: Entry | RankedEntry, under: str = "", rank: RankRule | None = None) -> Rows:
    """Rows from entries; `under` is the submodule that has the functions: "linalg".

    `rank`: the rank rule of entries without one.
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
    """Method that equals a function of the array -> the function."""
    methods: Rows = field(default_factory=dict)
    """The other methods; the first parameter is the array."""
    attributes: Rows = field(default_factory=dict)
    """Attributes, as functions whose only parameter is the array."""

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
    """Entries copied from another library: their rules, and their signatures unless one is given.

    "name=its_name" for a function that has another name there. Raises KeyError for a function that the library lacks.
    """
    entries = []
    for name, theirs in named(names).items():
        row = other.function(theirs)
        if row is None:
            raise KeyError(f"{other.name} has no function {theirs}")
        entries.append((name, signature or row.signature, row.rule))
    return tuple(entries)


def named(text: str) -> Mapping[str, str]:
    """Name -> other name, from "name=other"; a single name stands for itself."""
    return {name: other or name for name, _, other in (entry.partition("=") for entry in text.split())}
