"""What the trees of a file say: definitions, expressions as written, comments that accept findings."""

from promo_mypy.plugin.mypy_api.symbols import is_declared, is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import is_aside
from promo_mypy.plugin.trees.accepted_lines import reported
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions, drop_cache
from promo_mypy.plugin.trees.expressions import dotted_name, operands_of
from promo_mypy.plugin.trees.recorded_places import recorded_places
from promo_mypy.plugin.trees.syntax_trees import nodes_as_written, statements

__all__ = [
    "Definition",
    "FileDefinitions",
    "Way",
    "definitions",
    "dotted_name",
    "drop_cache",
    "is_aside",
    "is_declared",
    "is_unannotated",
    "nodes_as_written",
    "operands_of",
    "recorded_places",
    "reported",
    "statements",
]
