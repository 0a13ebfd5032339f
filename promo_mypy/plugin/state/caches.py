"""What is remembered during one pass over a file.

It is forgotten with the pass: mypy's daemon makes new classes when it checks a module again, and the next file may have
other options.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mypy.nodes import Node
from mypy.types import CallableType, Instance, Type

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import RankFacts
from promo_mypy.rules.records import record

if TYPE_CHECKING:
    from promo_mypy.plugin.types.array_types import Value

#: What the result of a call depends on, where types alone decide it.
Question = tuple[object, ...]


@record
class SettledOperation:
    """The result of an operator on operands of certain types, and whether it is another one in a region of autocast."""

    result: Type | None
    is_touched: bool


@record
class Settled:
    """The type of a result. `is_ours`: whether mypy alone does not know it. `is_closer`: whether it knows no dtype."""

    result: Type
    is_ours: bool
    is_closer: bool = False


class PassMemo:
    """Answers to questions that types alone decide."""

    def __init__(self) -> None:
        self.operations: dict[tuple[object, ...], SettledOperation] = {}
        """Results of operators."""
        self.signatures: dict[tuple[object, ...], CallableType] = {}
        """Signatures of operators by their definition, their number of parameters and their result."""
        self.calls: dict[Question, Settled] = {}
        """Results of calls."""
        self.closures: dict[tuple[object, ...], Type | None] = {}
        """Results of calls that were closed before mypy tried overloads."""
        self.canonical: dict[Type, Type] = {}
        """The type that stands for all that are the same array."""
        self.values: dict[Type, tuple[Value, ...] | None] = {}
        """What types admit."""
        self.arrays: dict[tuple[Instance, frozenset[type[dt.Shaped]], bool, RankFacts], Type | None] = {}
        """Arrays by the one that they are made after, their dtypes, whether they keep its shape, and their rank."""
        self.targets: set[Node] | None = None
        """The targets of augmented assignments, once they were asked for."""
        self.unlisted: dict[str, Callable[[Any], Type] | None] = {}
        """Names of functions and methods that no table has, with their hooks."""
        self.asks_for_costs: bool | None = None
        """Whether a diagnostic that is off by default is switched on, once that was asked for."""
