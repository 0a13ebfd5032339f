"""Promotion as an order: compute joins from immediate covers."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final


class NotAnOrderError(ValueError):
    """Rows that are not in promotion order, or that name something without a row."""


class Order:
    """A partial order of names, given by the direct promotions of each name.

    The join of several names is the first row that is above all of them. If one least upper bound exists (in a
    lattice), no other upper bound can come before it, so it is the join. If several minimal upper bounds exist (NumPy's
    uint8 and int8: int16 and float16), the order of the rows decides. Rows are written from the lowest kind to the
    highest, so the lowest kind wins.
    """

    def __init__(self, covers: Mapping[str, str]) -> None:
        """`covers`: name -> the names directly above it, separated by spaces; every cover has a later row.

        Raises NotAnOrderError otherwise, so no cycle can be written.
        """
        above: dict[str, frozenset[str]] = {}
        for name in reversed(list(covers)):
            missing = [cover for cover in covers[name].split() if cover not in above]
            if missing:
                raise NotAnOrderError(f"{name} promotes to {', '.join(missing)}, which needs a row below it")
            above[name] = frozenset({name}).union(*(above[cover] for cover in covers[name].split()))
        self.rows: Final = tuple(covers)
        self.covers: Final[Mapping[str, tuple[str, ...]]] = {name: tuple(row.split()) for name, row in covers.items()}
        """Name -> the names directly above it."""
        self.above: Final[Mapping[str, frozenset[str]]] = above
        """Name -> itself and all names that it promotes to."""

    def upper_bounds(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names above all of `names`, in row order."""
        common = frozenset.intersection(*(self.above[name] for name in names))
        return tuple(row for row in self.rows if row in common)

    def join(self, names: Iterable[str]) -> str | None:
        """The join of `names`; None if nothing is above all of them."""
        return next(iter(self.upper_bounds(names)), None)

    def minimal_bounds(self, names: Iterable[str]) -> tuple[str, ...]:
        """The upper bounds of `names` that have no other upper bound below them, in row order. A single one is the
        least upper bound, several compete, and an empty result means that nothing is above all of `names`.
        """
        bounds = self.upper_bounds(names)
        return tuple(b for b in bounds if not any(b in self.above[other] for other in bounds if other != b))

    def path(self, low: str, high: str) -> tuple[str, ...]:
        """A shortest chain of covers from `low` up to `high`, both included; empty if `high` is not above `low`."""
        return chain(self.covers, low, high)


def chain(covers: Mapping[str, tuple[str, ...]], low: str, high: str) -> tuple[str, ...]:
    """A shortest chain of covers from `low` to `high`, both included, the first by rows; empty if there is no chain."""
    chains: dict[str, tuple[str, ...]] = {low: (low,)}
    for node in (waiting := [low]):
        for cover in covers.get(node, ()):
            if cover not in chains:
                chains[cover] = (*chains[node], cover)
                waiting.append(cover)
    return chains.get(high, ())


def sorted_covers(covers: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """The rows with every name before its covers, otherwise in the order given.

    Raises NotAnOrderError for a cycle, with its names, and for a cover without a row.
    """
    rows = {name: tuple(dict.fromkeys(above)) for name, above in covers.items()}
    for name, above in rows.items():
        missing = [cover for cover in above if cover not in rows]
        if missing:
            raise NotAnOrderError(f"{name} promotes to {', '.join(missing)}, which has no row")
    done: dict[str, tuple[str, ...]] = {}
    below = {name: [low for low, above in rows.items() if name in above] for name in rows}
    while len(done) < len(rows):
        free = next((n for n in rows if n not in done and all(low in done for low in below[n])), None)
        if free is None:
            raise NotAnOrderError("cycle: " + " -> ".join(_cycle(rows, [n for n in rows if n not in done])))
        done[free] = rows[free]
    return done


def _cycle(rows: Mapping[str, tuple[str, ...]], left: list[str]) -> list[str]:
    """A cycle among the names `left`: each has one of them below it, so walking down must come back."""
    walk = [left[0]]
    while len(set(walk)) == len(walk):
        walk.append(next(low for low in left if walk[-1] in rows[low]))
    return walk[walk.index(walk[-1]) :][::-1]


def reduced(order: Order, nodes: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """The covers among `nodes`: the nodes above a node, with none of `nodes` between them.

    This is the transitive reduction of the order restricted to them; an order has exactly one.
    """
    kept = [row for row in order.rows if row in nodes]
    above = {low: [high for high in kept if high != low and high in order.above[low]] for low in kept}
    return {
        low: tuple(high for high in above[low] if not any(high in above[between] for between in above[low]))
        for low in kept
    }
