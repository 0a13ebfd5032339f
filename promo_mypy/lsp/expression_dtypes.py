"""The dtypes of expressions in Python's tree of a file, by the model, and of targets, by mypy's types."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from mypy.nodes import Expression

from promo_mypy.linting.values import FileValues, named
from promo_mypy.program.expressions import Place
from promo_mypy.program.syntax.written import bare_place_of, place_of
from promo_mypy.rules import dtypes as dt


@dataclass(frozen=True, slots=True)
class ExpressionDtypes:
    """Looks up dtypes in the values of a file."""

    values: FileValues

    def of(self, expression: ast.expr) -> frozenset[type[dt.Shaped]]:
        """Every dtype that an array expression may have; empty for any other value and for an unknown dtype."""
        known = self.values.model.known(expression) if self.values.model is not None else None
        if known is not None:
            return known.dtypes
        found: set[type[dt.Shaped]] = set()
        # A function with restricted type variables has a node for each of their values.
        for node in self.nodes(expression):
            dtypes = self.values.dtypes(node)
            if not dtypes:
                return frozenset()
            found |= dtypes
        return frozenset(found)

    def name(self, expression: ast.expr) -> str:
        """The names of these dtypes."""
        dtypes = self.of(expression)
        return named(dtypes) if dtypes else ""

    def nodes(self, expression: ast.expr) -> list[Expression]:
        """mypy's nodes of an expression that have a type."""
        places: Iterator[Place] = iter((place_of(expression), bare_place_of(expression)))
        return next(filter(None, map(self.values.all_at, places)), [])
