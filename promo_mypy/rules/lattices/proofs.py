"""Prove that every pair of a lattice has a least upper bound, or list the pairs and cycles that have none."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, Literal

from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.lattices.order import NotAnOrderError, Order
from promo_mypy.rules.records import record

Kind = Literal["cycle", "no bound", "several bounds"]

#: The number of bounds or faults that a sentence lists.
_LISTED: Final = 6


@record
class Fault:
    """Why it is not a lattice: a cycle, or two nodes with no least upper bound."""

    kind: Kind
    nodes: tuple[str, ...]
    """The pair; or the nodes of a cycle from below, with the first node again at the end."""
    bounds: tuple[str, ...] = ()
    """The competing upper bounds. None is below another one."""

    def __str__(self) -> str:
        """One sentence without capital and full stop."""
        if self.kind == "cycle":
            return f"cycle: {' -> '.join(self.nodes)}"
        one, other = self.nodes
        if self.kind == "no bound":
            return f"{one} and {other} have no common upper bound: nothing stands above both"
        listed = ", ".join(self.bounds[:_LISTED]) + (", ..." if len(self.bounds) > _LISTED else "")
        return f"{one} and {other} have {len(self.bounds)} competing upper bounds, none of them least: {listed}"


@record
class Proof:
    """The checked pairs and the faults. A lattice has no faults."""

    nodes: int
    pairs: int
    """Pairs of different nodes."""
    refused: int
    """Pairs that do not join: a `refuse` row lists them, or they have no upper bound in the lattice that this one
    extends.
    """
    faults: tuple[Fault, ...]


def prove(lattice: Lattice, start: Lattice | None = None) -> Proof:
    """Check every pair of nodes.

    A pair without an upper bound is not a fault if a `refuse` row lists it, or if `start` does not join it either:
    what a lattice leaves undefined stays undefined. With a cycle, nothing else can be checked.
    """
    count = len(lattice.covers)
    pairs = count * (count - 1) // 2
    try:
        order = lattice.order
    except NotAnOrderError:
        return Proof(count, pairs, 0, (Fault("cycle", cycle(lattice.covers)),))
    inherited = _undefined(start) if start is not None else frozenset()
    refused, faults = 0, list[Fault]()
    for pair in combinations(order.rows, 2):
        bounds = () if frozenset(pair) in lattice.refused else order.minimal_bounds(pair)
        if not bounds and frozenset(pair) in lattice.refused | inherited:
            refused += 1
        elif len(bounds) != 1:
            faults.append(Fault("several bounds" if bounds else "no bound", pair, bounds))
    return Proof(count, pairs, refused, tuple(faults))


def cycle(covers: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """A shortest cycle through the first row that is in one; empty if there is no cycle."""
    for start in covers:
        seen = {start}
        chains: list[tuple[str, ...]] = [(start,)]
        while chains:
            longer = [(*chain, above) for chain in chains for above in covers[chain[-1]]]
            closed = next((chain for chain in longer if chain[-1] == start), None)
            if closed is not None:
                return closed
            chains = list(_first_to_reach(longer, seen))
    return ()


def _first_to_reach(chains: list[tuple[str, ...]], seen: set[str]) -> Iterator[tuple[str, ...]]:
    for chain in chains:
        if chain[-1] not in seen:
            seen.add(chain[-1])
            yield chain


def _undefined(lattice: Lattice) -> frozenset[frozenset[str]]:
    order: Order = lattice.order
    return frozenset(
        frozenset(pair)
        for pair in combinations(order.rows, 2)
        if frozenset(pair) in lattice.refused or not order.upper_bounds(pair)
    )
