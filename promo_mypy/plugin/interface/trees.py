"""What the trees of a file say: definitions, expressions as written, comments that accept findings."""

from promo_mypy.plugin.mypy_api.checker.type_checker import is_aside
from promo_mypy.plugin.mypy_api.symbols import is_declared, is_unannotated
from promo_mypy.plugin.trees.accepted_lines import reported
from promo_mypy.plugin.trees.bound_targets import Definition, Way, definitions_in
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions, drop_cache
from promo_mypy.plugin.trees.expressions import dotted_name, operands_of
from promo_mypy.plugin.trees.recorded_places import recorded_places
from promo_mypy.plugin.trees.syntax_trees import (
    bound_variables,
    expressions_in,
    nodes_as_written,
    parts,
    statements,
)

__all__ = [
    "Definition",
    "FileDefinitions",
    "Way",
    "bound_variables",
    "definitions",
    "definitions_in",
    "dotted_name",
    "drop_cache",
    "expressions_in",
    "is_aside",
    "is_declared",
    "is_unannotated",
    "nodes_as_written",
    "operands_of",
    "parts",
    "recorded_places",
    "reported",
    "statements",
]
