"""Edit a lattice: restrict its dtypes, add and remove edges, refusals and floors."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from promo_mypy.rules.dtypes import DTYPES
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.lattices.notation import NotationError
from promo_mypy.rules.lattices.order import NotAnOrderError
from promo_mypy.rules.records import record
from promo_mypy.rules.wording.near_matches import suggestion

EMPTY = Lattice({})


def is_weak(node: str) -> bool:
    """Whether a node stands for numbers of any width."""
    return node not in DTYPES or DTYPES[node].weak


@record
class Start:
    """The lattice before the edits, with its name in messages. Without a name it is empty."""

    name: str = ""
    lattice: Lattice = EMPTY


def restricted(lattice: Lattice, dtypes: Iterable[str]) -> Lattice:
    """The order restricted to these dtypes. A new dtype has no edges yet.

    A weak node stays if one of the dtypes is above it: weak complex numbers need complex dtypes. A
    Python number that counted as a removed dtype no longer joins.
    """
    wanted = tuple(dict.fromkeys(dtypes))
    order = lattice.order
    kept = [node for node in order.rows if node in wanted or (is_weak(node) and order.above[node].intersection(wanted))]
    above = {node: order.above[node].intersection(kept) - {node} for node in kept}
    covers = {
        node: tuple(one for one in kept if one in above[node] and not any(one in above[low] for low in above[node]))
        for node in kept
    }
    covers.update((node, ()) for node in wanted if node not in covers)
    refused = frozenset(pair for pair in lattice.refused if pair <= covers.keys())
    floors = {
        row: node if not node or node in covers else None
        for row, node in lattice.floors.items()
        if row[1] not in DTYPES or row[1] in covers
    }
    return Lattice(covers, refused, floors)


def with_edges(lattice: Lattice, edges: Iterable[tuple[str, str]]) -> Lattice:
    """The lattice with further edges and their new nodes."""
    covers = dict(lattice.covers)
    for low, high in edges:
        covers.setdefault(high, ())
        covers[low] = tuple(dict.fromkeys((*covers.get(low, ()), high)))
    return replace(lattice, covers=covers)


def without_edge(start: Start, low: str, high: str) -> Lattice:
    """The lattice without one of its edges. Raises NotationError if it does not exist."""
    covers = start.lattice.covers
    if high not in covers.get(low, ()):
        raise NotationError(f"{start.name} has no edge {low} -> {high}{_instead(start, low, high)}")
    return replace(start.lattice, covers={**covers, low: tuple(node for node in covers[low] if node != high)})


def with_refused(lattice: Lattice, pair: frozenset[str]) -> Lattice:
    """The lattice in which the two nodes do not join. Raises NotationError if one of them does not exist."""
    for node in sorted(pair - lattice.covers.keys()):
        raise NotationError(f"{node} is not in this lattice{suggestion(node, lattice.covers)}")
    return replace(lattice, refused=lattice.refused | {pair})


def without_refused(start: Start, pair: frozenset[str]) -> Lattice:
    """The lattice in which two nodes of a `refuse` row join again. Raises NotationError if there is no such row."""
    if pair not in start.lattice.refused:
        raise NotationError(f"{start.name} does not refuse {' + '.join(sorted(pair))}")
    return replace(start.lattice, refused=start.lattice.refused - {pair})


def with_floors(lattice: Lattice, floors: Mapping[tuple[str, str], str | None]) -> Lattice:
    """The lattice in which Python numbers count as these nodes."""
    return replace(lattice, floors={**lattice.floors, **floors})


def _instead(start: Start, low: str, high: str) -> str:
    covers = start.lattice.covers
    if low not in covers:
        return f": {low} is not in it{suggestion(low, covers)}"
    try:
        path = start.lattice.order.path(low, high) if high in covers else ()
    except NotAnOrderError:
        path = ()
    if path:
        return f": it follows from {' -> '.join(path)}"
    return f": from {low} its edges lead to {', '.join(covers[low]) or 'nothing'}"
