"""Hold the state of the file that mypy checks."""

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from mypy.nodes import Expression, Node, Var
from mypy.types import Type

from promo_mypy.rules.records import record

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.aliasing.aliases import ContainerAliases
    from promo_mypy.plugin.inferred.axis_lengths import AxisLengths


TypeOf = Callable[[Expression], Type | None]


class StockTypes(Protocol):
    """What stock mypy infers for the expressions of a file."""

    def may_have_any_shape(self, expression: Expression, /) -> bool:
        """Whether stock mypy may infer no shape for an expression."""

    def is_unknown(self, value: Expression, /) -> bool:
        """Whether stock mypy may infer Any or no dtype for an argument, or for an item of a tuple or list."""


@record
class FileState:
    """The state of one file, made when mypy begins or resumes its check. Features add to its sets.

    Attributes:
        module: the qualified name of the file; None before the first file.
        known_calls: calls for which stock mypy infers Any.
        closer_calls: calls for which stock mypy infers an array class of unknown dtype.
        pairs: the calls among the known ones for which stock mypy infers a tuple, with items of type Any.
        decided_calls: calls whose last matching overload does not return Any.
        opened_types: the widened types, by identity, that the plugin has given variables whose dtype stock mypy knows.
        reported: nodes that were reported as the source of a forbidden dtype.
        aliases: the aliases of containers in the file; None if variables of the file are not tracked.
        lengths: the lengths of axes in the file; None in the same case.
        stock: from mypy's type of an expression to what stock mypy infers; None if variables are not tracked.
        length_powers: operators such as `len(x) ** 0.5`, which are Any to stock mypy.
        holders_of_any: local containers, and whether they have an item that is Any to stock mypy.
    """

    module: str | None = None
    known_calls: set[Node] = field(default_factory=set)
    closer_calls: set[Node] = field(default_factory=set)
    decided_calls: set[Node] = field(default_factory=set)
    pairs: set[Node] = field(default_factory=set)
    opened_types: set[int] = field(default_factory=set)
    reported: set[Node] = field(default_factory=set)
    aliases: "ContainerAliases | None" = None
    lengths: "AxisLengths | None" = None
    stock: Callable[[TypeOf], StockTypes] | None = None
    length_powers: set[Node] = field(default_factory=set)
    holders_of_any: dict[Var, bool] = field(default_factory=dict)

    def may_have_any_shape(self, expression: Expression, type_of: TypeOf) -> bool:
        """Whether stock mypy may infer no shape for an expression."""
        return self.stock is not None and self.stock(type_of).may_have_any_shape(expression)

    def may_have_any_dtype(self, value: Expression, type_of: TypeOf) -> bool:
        """Whether stock mypy may infer no dtype for an array, or for the arrays in a list."""
        return self.stock is not None and self.stock(type_of).is_unknown(value)
