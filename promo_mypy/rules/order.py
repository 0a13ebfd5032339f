"""Promotion as an order: immediate covers in, joins out."""

from collections.abc import Iterable, Mapping
from typing import Final


class NotAnOrderError(ValueError):
    """Rows that do not stand in promotion order, or name what has no row."""


class Order:
    """A partial order of names, given by what each one promotes to directly.

    The join of several names is the first row that stands above all of them. Where one smallest upper bound
    exists (in a lattice), no other upper bound can stand before it, so the join is that one. Where several
    minimal upper bounds exist (NumPy's uint8 and int8: int16 and float16), the rows decide: they are written
    from the lowest kind to the highest, so the lowest kind wins.
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
        self.above: Final[Mapping[str, frozenset[str]]] = above
        """Name -> itself and everything it promotes to."""

    def upper_bounds(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names that stand above all of `names`, in row order."""
        common = frozenset.intersection(*(self.above[name] for name in names))
        return tuple(row for row in self.rows if row in common)

    def join(self, names: Iterable[str]) -> str | None:
        """The join of `names`; None if nothing stands above all of them."""
        return next(iter(self.upper_bounds(names)), None)
