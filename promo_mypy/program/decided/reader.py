"""The interface of what decides about the expressions of one module."""

import ast
from collections.abc import Sequence
from typing import Protocol

from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.program.syntax.scopes import Scopes


class Reader(Protocol):
    """Decides about the expressions of one module."""

    @property
    def typed(self) -> TypedExpressions:
        """The expressions with mypy's types."""

    @property
    def scopes(self) -> Scopes:
        """The scopes of the module."""

    def certain(self, expression: ast.expr, *, as_object: bool = False) -> bool:
        """Whether parameters and known values decide a dtype; `as_object`: those of all attributes of a value, too."""

    def certain_function(self, function: ast.expr) -> bool:
        """Whether parameters and known values decide the dtypes that a function returns."""

    def certain_dtype(self, value: ast.expr) -> bool:
        """Whether parameters and known values decide the dtype that a value stands for."""

    def follows_parameters(self, expression: ast.expr) -> bool:
        """Whether a value has an unknown dtype that parameters decide."""

    def rooted(self, expression: ast.expr) -> bool:
        """Whether a parameter takes part in the value of an expression."""

    def is_parameter(self, expression: ast.expr) -> bool:
        """Whether an expression is a parameter, but not the owner of a method."""

    def is_any(self, expression: ast.expr) -> bool:
        """Whether the type of a value is Any, or mypy has none."""

    def shown_bindings(self, attribute: ast.Attribute) -> "Sequence[tuple[Reader, ast.expr]] | None":
        """All that an attribute of `self` is bound to, if the program shows that. Calls set a field, too."""

    def is_namespace(self, value: ast.expr) -> bool:
        """Whether a value is the namespace of arrays, such as `array_namespace(x)`."""
