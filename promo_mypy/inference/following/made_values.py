"""Find the classes of objects that libraries make for which mypy has no types."""

import ast
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from promo_mypy.inference.decided.own_definitions import is_none
from promo_mypy.inference.syntax.scopes import Scopes
from promo_mypy.rules import made_objects


class HasMaker(Protocol):
    """What reads the expressions of a module."""

    @property
    def maker(self) -> "Maker":
        """What finds such classes in the module."""


class Maker:
    """Finds them in one module.

    Args:
        scopes: the scopes of the module.
        bindings: all that an attribute is bound to; empty if the program does not show that.
    """

    def __init__(
        self, scopes: Scopes, bindings: Callable[[ast.Attribute], Sequence[tuple[HasMaker, ast.expr]]]
    ) -> None:
        self._scopes = scopes
        self._bindings = bindings
        self._made: Final[dict[int, str | None]] = {}

    def made(self, expression: ast.expr) -> str | None:
        """The class of an object that a library makes; None for any other value."""
        key = id(expression)
        if key not in self._made:
            self._made[key] = None  # a value that depends on itself
            self._made[key] = self._class_of(expression)
        return self._made[key]

    def _class_of(self, expression: ast.expr) -> str | None:
        found: set[str | None] = set()
        match expression:
            case ast.Call():
                return made_objects.MADE.get(self._scopes.imported(expression.func) or "")
            case ast.Name() if self._scopes.binds_plainly(expression):
                # A parameter that is bound anew, too: what it was before that has no methods, or the same ones.
                bound = self._scopes.values(expression) or self._scopes.rebound(expression)
                found = set(map(self.made, bound))
            case ast.Attribute():
                shown = self._bindings(expression)
                found = {reader.maker.made(value) for reader, value in shown if not is_none(value)}
        return found.pop() if len(found) == 1 else None
