"""The order in which a system joins dtypes, as data to draw, check and extend."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Self

from promo_mypy.rules.dtypes import DTYPES
from promo_mypy.rules.lattices.order import Order, sorted_covers


@dataclass(frozen=True)
class Lattice:
    """Nodes with their covers, the pairs that do not join, and the nodes that Python scalars count as.

    A node is the name of a dtype, or "i*", "f*", "c*" for weak numbers of any width. In a lattice in the strict sense,
    every pair has a least upper bound: `is_lattice` computes whether this one does.
    """

    covers: Mapping[str, tuple[str, ...]]
    """Node -> the nodes directly above it. Every node has a row; rows may be in any order. If a pair has several
    minimal upper bounds, the earliest row wins."""
    refused: frozenset[frozenset[str]] = frozenset()
    """Pairs of nodes that do not join, whatever is above both."""
    floors: Mapping[tuple[str, str], str | None] = field(default_factory=lambda: MappingProxyType({}))
    """(kind of a Python scalar, kind or name of the dtype beside it) -> the node that it counts as: "" for the dtype's
    own node, None if the two do not join. A row by name comes first. The kind "" stands for no dtype beside it.
    Without a row a number counts as the node "i*", "f*" or "c*", a bool as "bool"."""

    @classmethod
    def of(
        cls,
        covers: Mapping[str, str],
        refused: Iterable[tuple[str, str]] = (),
        floors: Mapping[tuple[str, str], str | None] = MappingProxyType({}),
    ) -> Self:
        """Read names from strings: "int8 uint8" is two names. A row of `refused` has two groups, which do not join in
        any pair of different names.
        """
        pairs = (frozenset({a, b}) for one, other in refused for a in one.split() for b in other.split() if a != b)
        return cls({name: tuple(row.split()) for name, row in covers.items()}, frozenset(pairs), floors)

    @cached_property
    def order(self) -> Order:
        """The order of the nodes. Raises NotAnOrderError for a cycle and for a cover without a row."""
        return Order({name: " ".join(above) for name, above in sorted_covers(self.covers).items()})

    def join(self, nodes: Iterable[str]) -> str | None:
        """The node that all of `nodes` promote to together; None if they do not join."""
        together = tuple(dict.fromkeys(nodes))
        if self.refused and any(frozenset(pair) in self.refused for pair in combinations(together, 2)):
            return None
        return self.order.join(together)

    def counts_as(self, kind: str, beside: str = "") -> str | None:
        """The node that a Python scalar of that kind counts as beside the node `beside`; None if it does not join."""
        kinds = (beside, kind_of(beside)) if beside else ("",)
        for row in kinds:
            if (kind, row) in self.floors:
                node = self.floors[kind, row]
                return beside if node == "" else node
        own = "bool" if kind == "b" else f"{kind}*"
        return own if own in self.covers else None

    def join_all(self, arrays: Sequence[str], scalars: Sequence[str]) -> str | None:
        """The node that arrays (nodes) and Python scalars (kinds) promote to together. The arrays join first. Then each
        scalar counts as a node beside their join.
        """
        joined = self.join(arrays) if arrays else ""
        if joined is None or not scalars:
            return joined
        nodes = [self.counts_as(kind, joined) for kind in scalars]
        known = [node for node in (joined, *nodes) if node]
        return None if None in nodes else self.join(known)

    @property
    def is_lattice(self) -> bool:
        """Whether every pair of nodes that joins has one least upper bound."""
        pairs = (pair for pair in combinations(self.covers, 2) if frozenset(pair) not in self.refused)
        return all(len(self.order.minimal_bounds(pair)) < 2 for pair in pairs)


def kind_of(node: str) -> str:
    """The kind of a node: "b", "u", "i", "f" or "c"."""
    return node[0] if node in ("i*", "f*", "c*") else DTYPES[node].kind
