"""Hold the state of the file that mypy checks."""

from dataclasses import field
from typing import TYPE_CHECKING

from mypy.nodes import Node

from promo_mypy.rules.records import record

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.aliasing.aliases import ContainerAliases
    from promo_mypy.plugin.inferred.axis_lengths import AxisLengths


@record
class FileState:
    """The state of one file, made when mypy begins or resumes its check. Features add to its sets.

    Attributes:
        module: the qualified name of the file; None before the first file.
        opened_types: the widened types, by identity, that the plugin has given variables whose dtype stock mypy knows.
        reported: nodes that were reported as the source of a forbidden dtype.
        aliases: the aliases of containers in the file; None if variables of the file are not tracked.
        lengths: the lengths of axes in the file; None in the same case.
        length_powers: operators such as `len(x) ** 0.5`, which are Any to stock mypy.
    """

    module: str | None = None
    opened_types: set[int] = field(default_factory=set)
    reported: set[Node] = field(default_factory=set)
    aliases: "ContainerAliases | None" = None
    lengths: "AxisLengths | None" = None
    length_powers: set[Node] = field(default_factory=set)
