"""The interface of what decides about the expressions of one module."""

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from promo_mypy.program.decided.own_definitions import ModuleReader

#: Parameters that stand for what a method belongs to, not for what a call passes.
OWNERS: Final = frozenset({"self", "cls"})


class Reader(ModuleReader, ABC):
    """Decides about the expressions of one module."""

    is_namespace: Callable[[ast.expr], bool]
    """Whether a value is the namespace of arrays, such as `array_namespace(x)`."""

    @abstractmethod
    def certain(self, expression: ast.expr, *, as_object: bool = False) -> bool:
        """Whether parameters and known values decide a dtype; `as_object`: those of all attributes of a value, too."""

    @abstractmethod
    def certain_function(self, function: ast.expr) -> bool:
        """Whether parameters and known values decide the dtypes that a function returns."""

    @abstractmethod
    def certain_dtype(self, value: ast.expr) -> bool:
        """Whether parameters and known values decide the dtype that a value stands for."""

    @abstractmethod
    def follows_parameters(self, expression: ast.expr) -> bool:
        """Whether a value has an unknown dtype that parameters decide."""

    @abstractmethod
    def rooted(self, expression: ast.expr) -> bool:
        """Whether a parameter takes part in the value of an expression."""

    @abstractmethod
    def shown_bindings(self, attribute: ast.Attribute) -> "Sequence[tuple[Reader, ast.expr]] | None":
        """All that an attribute of `self` is bound to, if the program shows that. Calls set a field, too."""

    def is_parameter(self, expression: ast.expr) -> bool:
        """Whether an expression is a parameter, but not the owner of a method."""
        if not isinstance(expression, ast.Name) or expression.id in OWNERS:
            return False
        return self.scopes.parameter(expression) is not None

    def is_any(self, expression: ast.expr) -> bool:
        """Whether the type of a value is Any, or mypy has none."""
        return self.typed.known(expression) is None or self.typed.is_any(expression)
