"""Lay out a Hasse diagram: the column and row of each node.

The method of Sugiyama: columns by the longest chain from below, edges that span several columns bent in each of them,
crossings reduced by sweeps over the columns, rows then moved towards their neighbours. It is not random: the same
diagram always gets the same layout.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from promo_mypy.cli.lattices.hasse import Hasse

Edge = tuple[str, str]
Bend = tuple[str, str, int]
"""An edge in a column that it passes: its two ends, and the column."""
Item = str | Bend
"""An item that needs room in a column: a node, or a passing edge."""

#: The number of sweeps; the best arrangement is kept.
_SWEEPS: Final = 12
#: The number of rounds in which items move towards their neighbours.
_ALIGNMENTS: Final = 40
#: How much more a straight edge counts than the nearness of two nodes.
_STRAIGHT: Final = 8


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns from bottom to top of the order; rows are fractions of a node's height including its gap."""

    columns: tuple[tuple[str, ...], ...]
    """The nodes of each column, from above."""
    rows: Mapping[str, float]
    """Node -> its row, 0 or more; nodes in one column are at least 1 apart."""
    bends: Mapping[Edge, tuple[float, ...]]
    """Edge -> its row in each column between its ends."""
    alone: tuple[str, ...]
    """Nodes without edges, which are in no column."""


def layout(diagram: Hasse) -> Layout:
    """Lay out the diagram in columns."""
    touched = {node for edge in diagram.edges for node in edge}
    nodes = [node for node in diagram.nodes if node in touched]
    column = columns_of(nodes, diagram.edges)
    items, links = _items(nodes, diagram.edges, column)
    ordered = _uncrossed(items, links)
    rows = _aligned(ordered, links)
    return Layout(
        tuple(tuple(item for item in items if isinstance(item, str)) for items in ordered),
        {item: row for item, row in rows.items() if isinstance(item, str)},
        {
            (low, high): tuple(rows[low, high, each] for each in range(column[low] + 1, column[high]))
            for low, high in diagram.edges
        },
        tuple(node for node in diagram.nodes if node not in touched),
    )


def columns_of(nodes: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """Node -> column: one past its highest neighbour below.

    A node with none below is placed just below the lowest node above it, so that its edges are short. Tops are ignored
    for that, because they can move themselves. `nodes` are bottom first, so one pass is enough to raise all nodes
    above.
    """
    below = {node: [low for low, high in edges if high == node] for node in nodes}
    above = {node: [high for low, high in edges if low == node] for node in nodes}
    column: dict[str, int] = {}

    def raise_all(bottoms: Mapping[str, int]) -> None:
        for node in nodes:
            column[node] = max((column[low] + 1 for low in below[node]), default=bottoms.get(node, 0))

    raise_all({})
    bottoms = [node for node in nodes if not below[node]]
    inner = {node: [high for high in above[node] if above[high]] or above[node] for node in bottoms}
    raise_all({node: min(column[high] for high in inner[node]) - 1 for node in bottoms})
    lowest = min(column.values(), default=0)
    return {node: each - lowest for node, each in column.items()}


def _items(
    nodes: Iterable[str], edges: Iterable[Edge], column: Mapping[str, int]
) -> tuple[list[list[Item]], list[tuple[Item, Item]]]:
    """The columns with all their items, and the links between neighbouring columns."""
    items: list[list[Item]] = [[] for _ in range(max(column.values(), default=-1) + 1)]
    for node in nodes:
        items[column[node]].append(node)
    links: list[tuple[Item, Item]] = []
    for low, high in edges:
        passed: list[Item] = [(low, high, each) for each in range(column[low] + 1, column[high])]
        for each, bend in enumerate(passed, start=column[low] + 1):
            items[each].append(bend)
        links += pairwise([low, *passed, high])
    return items, links


class _Neighbours:
    """The links of each item to the column before and to the column after."""

    def __init__(self, links: Iterable[tuple[Item, Item]]) -> None:
        self.before: dict[Item, list[Item]] = {}
        self.after: dict[Item, list[Item]] = {}
        for left, right in links:
            self.after.setdefault(left, []).append(right)
            self.before.setdefault(right, []).append(left)


def _uncrossed(columns: list[list[Item]], links: list[tuple[Item, Item]]) -> list[list[Item]]:
    """The columns sorted by the medians of their neighbours, to and fro: the arrangement with the fewest crossings."""
    neighbours = _Neighbours(links)
    best, fewest = columns, crossings(columns, links)
    current = [list(column) for column in columns]
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for index in range(len(current)) if forward else reversed(range(len(current))):
            other = index - 1 if forward else index + 1
            if 0 <= other < len(current):
                current[index] = _by_medians(
                    current[index], current[other], neighbours.before if forward else neighbours.after
                )
        current = _swapped(current, links)
        count = crossings(current, links)
        if count < fewest:
            best, fewest = [list(column) for column in current], count
    return best


def _by_medians(column: list[Item], other: list[Item], neighbours: Mapping[Item, list[Item]]) -> list[Item]:
    place = {item: index for index, item in enumerate(other)}

    def median(entry: tuple[int, Item]) -> float:
        places = sorted(place[each] for each in neighbours.get(entry[1], ()))
        if not places:  # keeps its position
            return entry[0] * len(other) / len(column)
        middle = len(places) // 2
        return places[middle] if len(places) % 2 else (places[middle - 1] + places[middle]) / 2

    return [item for _, item in sorted(enumerate(column), key=median)]


def _swapped(columns: list[list[Item]], links: list[tuple[Item, Item]]) -> list[list[Item]]:
    """Swap neighbours in a column as long as that removes a crossing."""
    found = [list(column) for column in columns]
    count = crossings(found, links)
    for column in found:
        for upper in range(len(column) - 1):
            column[upper], column[upper + 1] = column[upper + 1], column[upper]
            swapped = crossings(found, links)
            if swapped < count:
                count = swapped
            else:
                column[upper], column[upper + 1] = column[upper + 1], column[upper]
    return found


def crossings(columns: Sequence[Sequence[Item]], links: Iterable[tuple[Item, Item]]) -> int:
    """The number of crossing pairs of links."""
    place = {item: (index, row) for index, column in enumerate(columns) for row, item in enumerate(column)}
    gaps: dict[int, list[tuple[int, int]]] = {}
    for left, right in links:
        gaps.setdefault(place[left][0], []).append((place[left][1], place[right][1]))
    return sum(
        (one[0] - other[0]) * (one[1] - other[1]) < 0
        for gap in gaps.values()
        for index, one in enumerate(gap)
        for other in gap[:index]
    )


def _aligned(columns: list[list[Item]], links: list[tuple[Item, Item]]) -> dict[Item, float]:
    """The rows: each item is as near to its neighbours as the order and the room in its column allow."""
    neighbours = _Neighbours(links)
    rows = {
        item: row for column in columns for item, row in zip(column, _apart(column, [0.0] * len(column)), strict=True)
    }
    for round_ in range(_ALIGNMENTS):
        for index in range(len(columns)) if round_ % 2 == 0 else reversed(range(len(columns))):
            column = columns[index]
            wanted = [_pull(item, rows, neighbours) for item in column]
            rows.update(zip(column, _apart(column, wanted), strict=True))
    top = min(rows.values(), default=0.0)
    return {item: row - top for item, row in rows.items()}


def _pull(item: Item, rows: Mapping[Item, float], neighbours: _Neighbours) -> float:
    """The mean row of the neighbours; a passing edge should above all be straight."""
    near = [*neighbours.before.get(item, ()), *neighbours.after.get(item, ())]
    weights = [_STRAIGHT if isinstance(item, tuple) and isinstance(each, tuple) else 1 for each in near]
    return sum(weight * rows[each] for weight, each in zip(weights, near, strict=True)) / sum(weights)


def _apart(column: Sequence[Item], wanted: Sequence[float]) -> list[float]:
    """The rows nearest to the wanted ones (in squares) that keep the order and leave room for each item.

    Less the room before it, an item's row must only not decrease: the isotonic regression, by pooling neighbours.
    """
    room = list(_room(column))
    pools: list[tuple[float, int]] = []
    for target in (want - before for want, before in zip(wanted, room, strict=True)):
        total, size = target, 1
        while pools and pools[-1][0] / pools[-1][1] >= total / size:
            other = pools.pop()
            total, size = total + other[0], size + other[1]
        pools.append((total, size))
    means = [total / size for total, size in pools for _ in range(size)]
    return [mean + before for mean, before in zip(means, room, strict=True)]


def _room(column: Sequence[Item]) -> Iterator[float]:
    """The least distance of each item from the first one: nodes need 1, a passing edge less."""
    total = 0.0
    for index, item in enumerate(column):
        if index:
            bends = isinstance(item, tuple) + isinstance(column[index - 1], tuple)
            total += (1.0, 0.75, 0.5)[bends]
        yield total
