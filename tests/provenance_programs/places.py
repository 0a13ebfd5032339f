"""Places for annotations: a program is written with a name in each place, which a type replaces once it has run."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from tests.agreement.dialects import Dialect

PLACE = re.compile(r"\bD\d+\b")
_GAP = re.compile(r"<D>")
_IMPORTS = """
import asyncio
import numpy.typing as npt
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol"""
#: No program has more places.
LIMIT = 400


@dataclass(frozen=True)
class PlacedDialect(Dialect):
    """A library whose annotations of arrays are places.

    Attributes:
        numbers: of the next places.
    """

    numbers: Iterator[int] = field(default_factory=itertools.count)

    def annotations(self, dtype: str, other: str, shape: tuple[int, ...]) -> list[str]:
        """A new place."""
        return [self.place()]

    def place(self) -> str:
        """A new place."""
        return f"D{next(self.numbers)}"

    def with_places(self, text: str) -> str:
        """A text in which each gap `<D>` is a new place."""
        return _GAP.sub(lambda _: self.place(), text)


def placed(dialect: Dialect) -> PlacedDialect:
    """The same dialect, with places for annotations."""
    given = {each.name: getattr(dialect, each.name) for each in fields(dialect)}
    return PlacedDialect(**given | {"header": dialect.header + _IMPORTS})


def bound_places() -> dict[str, Any]:
    """The places as names: programs are executed with them."""
    return {f"D{number}": Any for number in range(LIMIT)}
