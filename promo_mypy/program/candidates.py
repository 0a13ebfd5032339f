"""Decide which expressions of a program count as array expressions."""

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.modules import Module
from promo_mypy.program.checked.program import Program
from promo_mypy.program.checked.typed_expressions import TypedExpressions, deciding_parts, displayed
from promo_mypy.program.syntax.found_once import FoundOnce

_Function = ast.FunctionDef | ast.AsyncFunctionDef
#: Built-in functions whose results have the items of their arguments.
_PASSING: Final = frozenset(
    ("abs", "enumerate", "iter", "list", "max", "min", "next", "reversed", "sorted", "sum", "tuple", "zip")
)


def candidates_of(program: Program) -> Mapping[str, "Candidates"]:
    """Path of a file -> its array expressions."""
    functions: dict[str, tuple[Candidates, _Function]] = {}
    found = {}
    for module in program.modules:
        found[module.path] = candidates = Candidates(TypedExpressions(module), functions)
        functions.update((name, (candidates, function)) for name, function in _functions(module))
    return found


class Candidates:
    """The array expressions of one module. `functions`: those of the program by full name, each with its module's."""

    def __init__(self, typed: TypedExpressions, functions: Mapping[str, "tuple[Candidates, _Function]"]) -> None:
        self.typed: Final = typed
        self.scopes: Final = typed.scopes
        self._functions = functions
        self.forget()

    def forget(self) -> None:
        """Drop all answers: more is known of the expressions."""
        self._stand_for_arrays = FoundOnce(self._is_any_of_array, unknown=False)
        self._return_arrays = FoundOnce(self._may_return_array, unknown=False)

    def counts(self, expression: ast.expr) -> bool:
        """Whether an expression is known to be an array or a NumPy scalar, or stands for an array."""
        return self.typed.is_array(expression) or self.stands_for_array(expression)

    def stands_for_array(self, expression: ast.expr) -> bool:
        """Whether an expression of type Any is counted as an array.

        It is, if it comes from an array library that declares Any for it: the results of its functions and of the
        methods and subscripts of its arrays, except functions that never return an array. So is the result of an
        operation on such a value, or on an array: names, attributes of `self`, operators, subscripts, methods,
        attributes such as `T`, iteration, and calls of functions of the program that return such a value.
        """
        return self._stand_for_arrays(expression)

    def returns_array(self, function: _Function) -> bool:
        """Whether one of the expressions that a function of the module returns counts as an array."""
        return self._return_arrays(function)

    def _may_return_array(self, function: _Function) -> bool:
        return any(map(self.counts, self.scopes.returned(function)))

    def _is_any_of_array(self, expression: ast.expr) -> bool:
        return self.typed.is_any(expression) and self._gives_array(expression)

    def _gives_array(self, expression: ast.expr) -> bool:
        match expression:
            case ast.Call():
                return self._passes_array(expression) or self._returns_array(expression.func)
            case ast.Attribute():
                if expression.attr in library_names.ARRAY_ATTRIBUTES:
                    return self.counts(expression.value)
                return any(map(self.stands_for_array, self.scopes.attribute_values(expression)))
            case ast.Subscript():
                return self.counts(expression.value) or self.scopes.imported(expression.value) in library_names.JOINING
            case ast.Name():
                return any(map(self._holds_array, self.scopes.values(expression)))
        return any(map(self.counts, deciding_parts(expression)))

    def _holds_array(self, value: ast.expr) -> bool:
        """Whether the value of a name, or an item of it that the name is unpacked from, counts."""
        if isinstance(value, ast.Call) and self._passes_array(value):
            return True
        return self.counts(value) or any(map(self._holds_array, displayed(value)))

    def _passes_array(self, call: ast.Call) -> bool:
        is_passing = isinstance(call.func, ast.Name) and call.func.id in _PASSING
        return is_passing and any(map(self._holds_array, call.args))

    def _returns_array(self, function: ast.expr) -> bool:
        own = self._functions.get(self.typed.definition(function) or "")
        if own is not None:
            candidates, definition = own
            return candidates.returns_array(definition)
        name, _ = self.typed.callee(function)
        if name is None and isinstance(function, ast.Attribute):
            return library_names.is_array_method(function.attr) and self.counts(function.value)
        return name is not None and library_names.may_give_array(name)


def _functions(module: Module) -> Iterator[tuple[str, _Function]]:
    waiting: list[tuple[str, ast.AST]] = [(module.name, module.tree)]
    while waiting:
        prefix, node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _Function):
                yield f"{prefix}.{child.name}", child
            elif isinstance(child, ast.ClassDef):
                waiting.append((f"{prefix}.{child.name}", child))
            elif isinstance(child, ast.stmt):
                waiting.append((prefix, child))
