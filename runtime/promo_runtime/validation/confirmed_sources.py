"""Change the tree of a module so that the values of certain expressions pass through a function that checks them.

`x * y` becomes `look(x * y, 7)`: each expression is evaluated once, in its order, and every node keeps its place.
"""

import ast
import sys
from collections.abc import Mapping
from typing import Any, Final

from promo_runtime.instrumentation.compiled_functions import CompiledFunctions
from promo_runtime.validation.inferred_expressions import Span

LOOK: Final = "__promo_look__"
"""The function. It gets the value and the number of the expression, and returns the value."""


def with_looks(tree: ast.Module, numbers: Mapping[Span, int], placed: set[int] | None = None) -> ast.Module:
    """The same tree, changed.

    Args:
        tree: the tree of a module.
        numbers: place -> number of the expression to check.
        placed: gets the numbers of the expressions that are checked: not those in a compiled function.
    """
    looks = _Looks(numbers, CompiledFunctions(tree), placed if placed is not None else set())
    return looks.visit(tree)  # type: ignore[no-any-return] # ast says Any


class _Looks(ast.NodeTransformer):
    def __init__(self, numbers: Mapping[Span, int], compiled: CompiledFunctions, placed: set[int]) -> None:
        self._numbers = numbers
        self._compiled = compiled
        self._placed = placed

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and self._compiled.is_compiled(node):
            return node
        if isinstance(node, ast.pattern) or _has_other_places(node):
            return node
        self._visit_parts(node)
        number = self._numbers.get(Span.of(node)) if isinstance(node, ast.expr) and _has_value(node) else None
        if number is None or not isinstance(node, ast.expr):
            return node
        self._placed.add(number)
        name = ast.copy_location(ast.Name(LOOK, ast.Load()), node)
        return ast.copy_location(ast.Call(name, [node, ast.copy_location(ast.Constant(number), node)], []), node)

    def _visit_parts(self, node: ast.AST) -> None:
        """Visit all but annotations and type parameters, which are not values of the program."""
        kept = {name: getattr(node, name) for name in _NOT_EVALUATED if hasattr(node, name)}
        for name in kept:
            setattr(node, name, [] if name == "type_params" else None)
        self.generic_visit(node)
        for name, value in kept.items():
            setattr(node, name, value)


_NOT_EVALUATED: Final = ("annotation", "returns", "type_params")


def _has_value(node: ast.expr) -> bool:
    """Whether it has a value that may be an array and may pass through a function. Strings and targets may not."""
    return not isinstance(node, _NO_VALUES) and isinstance(getattr(node, "ctx", None), ast.Load | None)


# A docstring must stay a string, and so must the format in an f-string.
_NO_VALUES: Final = (ast.Constant, ast.FormattedValue, ast.JoinedStr, ast.Slice, ast.Starred)


def _has_other_places(node: ast.AST) -> bool:
    # Before Python 3.12 nodes inside an f-string have wrong places.
    return sys.version_info < (3, 12) and isinstance(node, ast.JoinedStr)
