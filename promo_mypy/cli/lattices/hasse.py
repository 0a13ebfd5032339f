"""Build the Hasse diagram of a promotion system: its dtypes, and the dtypes directly above each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from promo_mypy.rules.dtypes import ORDINARY
from promo_mypy.rules.lattices.order import chain, reduced
from promo_mypy.rules.lattices.places import places_of
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem

_ORDINARY: Final = frozenset(dtype.name for dtype in ORDINARY)


class NotInTheOrderError(ValueError):
    """An operand that has no place in the order of a system."""


def is_weak(node: str) -> bool:
    """Whether a node is a weak type: "i*" of any width, or "int32*"."""
    return node.endswith("*")


def _usual(node: str | None) -> bool:
    return node in _ORDINARY or (node is not None and is_weak(node))


@dataclass(frozen=True, slots=True)
class Highlight:
    """The promotion of two or more operands, with their paths."""

    operands: tuple[str, ...]
    """The nodes of the operands."""
    result: str | None
    """The node of the result; None if the system rejects the operands, or if the result has no node."""
    paths: tuple[tuple[str, ...], ...]
    """For each operand, the chain of covers up to the result; only the operand if the result is not above it."""
    text: str
    """The outcome in words."""


@dataclass(frozen=True)
class Hasse:
    """The nodes of an order, bottom first, and its covers: the edges that do not follow from other edges."""

    system: str
    nodes: tuple[str, ...]
    covers: Mapping[str, tuple[str, ...]]
    """Node -> the nodes directly above it; every node is a key."""
    is_lattice: bool
    highlight: Highlight | None = None
    caveats: tuple[str, ...] = ()
    """Sentences about what the diagram does not show."""

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """(lower, upper), in the order of the nodes."""
        return tuple((low, high) for low in self.nodes for high in self.covers[low])

    @cached_property
    def highlighted(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """Edge -> the positions of the operands whose path contains it."""
        found: dict[tuple[str, str], tuple[int, ...]] = {}
        for place, path in enumerate(self.highlight.paths if self.highlight else ()):
            for edge in pairwise(path):
                found[edge] = (*found.get(edge, ()), place)
        return found

    @property
    def title(self) -> str:
        """The title of the picture."""
        if not self.edges:
            return f"{self.system}: every dtype for itself"
        return f"{self.system}: the promotion {'lattice' if self.is_lattice else 'order, which is not a lattice'}"


def hasse(system: PromotionSystem, *, everything: bool = False, highlighted: Iterable[Operand] = ()) -> Hasse:
    """The diagram of a system's ordinary dtypes, or with `everything`, of all dtypes in its order.

    A highlighted dtype that is not ordinary has the same effect as `everything`. Raises NotInTheOrderError if no order
    describes the system, and for a highlighted operand that has no node.
    """
    if system.lattice is None:
        raise NotInTheOrderError(f"{system.name} does not join dtypes in an order, so there is no diagram of it")
    order = system.lattice.order
    operands = tuple(highlighted)
    places = places_of(system, operands)
    for operand, place in zip(operands, places, strict=True):
        if place is None:
            raise NotInTheOrderError(f"{operand.name} has no place in the order of {system.name}")
    everything = everything or not all(map(_usual, places))
    nodes = tuple(row for row in order.rows if everything or _usual(row))
    covers = reduced(order, nodes)
    return Hasse(
        system.name, nodes, covers, system.is_lattice, highlight(system, operands, covers) if operands else None
    )


def highlight(
    system: PromotionSystem, operands: tuple[Operand, ...], covers: Mapping[str, tuple[str, ...]]
) -> Highlight:
    """The promotion of the operands, with the chains of covers up to it."""
    places = tuple(place or "" for place in places_of(system, operands))
    names = tuple(
        operand.name if operand.name == place or not place else f"{operand.name} (here {place})"
        for operand, place in zip(operands, places, strict=True)
    )
    pair = " with ".join(names)
    answer = system.promote(*operands)
    if isinstance(answer, Refusal):
        return Highlight(places, None, tuple((place,) for place in places), f"{pair}: rejected, {answer.reason}")
    result = system.node_of(answer)
    paths = tuple(chain(covers, place, result) or (place,) for place in places)
    return Highlight(places, result if result in covers else None, paths, f"{pair}: {result}")
