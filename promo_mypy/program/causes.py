"""Find the cause of an unknown dtype.

The cause is the innermost expression of unknown dtype whose parts are known. It may be in the definition of a name.
"""

import ast
from collections.abc import Iterable
from typing import Final

from promo_mypy.program.candidates import Candidates
from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.modules import Module
from promo_mypy.program.checked.typed_expressions import TypedExpressions, deciding_parts, displayed
from promo_mypy.program.counts import Cause, Kind
from promo_mypy.program.syntax.scopes import Scopes

_LONGEST: Final = 40


class CauseFinder:
    """Finds the causes of unknown dtypes in one module.

    Args:
        module: the module.
        typed: its expressions with mypy's types.
        scopes: its scopes.
        candidates: its array expressions.
        program: the names of all checked modules.
    """

    def __init__(
        self,
        module: Module,
        typed: TypedExpressions,
        scopes: Scopes,
        candidates: Candidates,
        program: frozenset[str],
    ) -> None:
        self._module = module
        self._typed = typed
        self._scopes = scopes
        self._candidates = candidates
        self._program = program
        self._causes: Final[dict[int, Cause | None]] = {}

    def cause(self, expression: ast.expr) -> Cause | None:
        """The cause of an unknown dtype; None if it is known, or if the expression is not an array."""
        key = id(expression)
        if key not in self._causes:
            self._causes[key] = None  # a value that depends on itself
            self._causes[key] = self._origin(expression) if self._is_doubtful(expression) else None
        return self._causes[key]

    def _is_doubtful(self, expression: ast.expr) -> bool:
        """Whether an unknown dtype may come from an expression. Displays have no type of their own here."""
        known = self._typed.known(expression)
        if known is None:
            return isinstance(expression, ast.Tuple | ast.List | ast.Starred | ast.ListComp | ast.GeneratorExp)
        if known.arrays is not None:
            return known.arrays.dtypes is None
        # A container does not tell the dtypes of its elements here; its definition may.
        return self._typed.is_any(expression) or isinstance(
            expression, ast.Name | ast.Attribute | ast.Call | ast.Subscript
        )

    def _origin(self, expression: ast.expr) -> Cause | None:
        unchecked = self._scopes.function_of(expression) if self._is_unchecked(expression) else None
        if unchecked is not None:
            return Cause(Kind.UNCHECKED, unchecked)
        match expression:
            case ast.Name():
                return self._of_name(expression)
            case ast.Attribute():
                return self._of_attribute(expression)
            case ast.Call():
                return self._of_call(expression)
        inner = self._first(deciding_parts(expression))
        if inner is not None or not self._candidates.counts(expression):
            return inner
        if isinstance(expression, ast.Subscript):
            info = self._typed.class_of(expression.value)
            return Cause(Kind.SUBSCRIPT, library_names.public(info.fullname) if info else _text(expression.value))
        return Cause(Kind.OPERATION, _text(expression))

    def _is_unchecked(self, expression: ast.expr) -> bool:
        return not self._module.checks_untyped and self._scopes.is_unannotated(expression)

    def _first(self, expressions: Iterable[ast.expr]) -> Cause | None:
        return next((found for each in expressions if (found := self.cause(each)) is not None), None)

    def _of_name(self, name: ast.Name) -> Cause | None:
        function = self._scopes.parameter(name)
        if function is not None:
            return (
                Cause(Kind.PARAMETER, f"`{name.id}` of {function}")
                if self._typed.is_array(name) or self._typed.is_any(name)
                else None
            )
        inner = self._first(self._scopes.values(name))
        if inner is not None:
            return inner
        full = self._scopes.imported(name) or f"`{name.id}`"
        if self._typed.is_array(name):
            # A part of a function's result has no expression of its own: `values, vectors = eigh(x)`.
            calls = (each for each in self._scopes.values(name) if isinstance(each, ast.Call))
            return next(filter(None, map(self._called, calls)), None) or Cause(Kind.VARIABLE, full)
        return Cause(Kind.VALUE, full) if self._typed.is_any(name) else None

    def _of_attribute(self, attribute: ast.Attribute) -> Cause | None:
        doubted = self._typed.is_array(attribute) or self._typed.is_any(attribute)
        full = self._typed.reference(attribute) or (
            self._scopes.imported(attribute) if self._typed.is_any(attribute) else None
        )
        if full is not None:
            return Cause(Kind.VARIABLE if self._typed.is_array(attribute) else Kind.VALUE, full) if doubted else None
        if self._typed.is_array(attribute.value) or self._typed.is_any(attribute.value):
            inner = self.cause(attribute.value)
            if inner is not None:
                return inner
        inner = self._first(self._scopes.attribute_values(attribute))
        if inner is not None or not doubted:
            return inner
        member = self._typed.member(attribute) or _text(attribute)
        if library_names.is_of_library(member):
            return Cause(Kind.ATTRIBUTE, member)
        return Cause(Kind.VARIABLE if self._typed.is_array(attribute) else Kind.VALUE, member)

    def _of_call(self, call: ast.Call) -> Cause | None:
        name, kind = self._typed.callee(call.func)
        doubted = self._typed.is_array(call) or self._typed.is_any(call)
        if name is None:
            return self.cause(call.func) or (Cause(Kind.VALUE, _text(call.func)) if doubted else None)
        if not library_names.is_of_library(name):
            return self._called(call) if doubted else None
        receiver = [call.func.value] if isinstance(call.func, ast.Attribute) and kind is Kind.METHOD else []
        arguments = [_owner_of_dtype(each) for each in (*receiver, *call.args, *(each.value for each in call.keywords))]
        inner = self._first(each for each in arguments if self._may_decide(each))
        if inner is None and not any(map(self._typed.is_array, arguments)) and library_names.is_known(name):
            # The rule of the function needs an argument of unknown type, such as the result of an unannotated function.
            inner = self._first(each for each in arguments[:1] if self._typed.is_any(each))
        return inner or (Cause(kind, name) if doubted else None)

    def _called(self, call: ast.Call) -> Cause | None:
        """The function that is called, as a cause."""
        name, kind = self._typed.callee(call.func)
        if name is None:
            return None
        own = any(name.startswith(f"{module}.") for module in self._program)
        return Cause(Kind.FUNCTION if own else kind, name)

    def _may_decide(self, argument: ast.expr) -> bool:
        """Whether the dtype of an argument may decide that of a call: an array, or a display that contains one."""
        return self._candidates.counts(argument) or any(self._may_decide(each) for each in displayed(argument))


def _owner_of_dtype(argument: ast.expr) -> ast.expr:
    """The array whose dtype is passed, as in `dtype=x.dtype`; any other argument as it is."""
    return argument.value if isinstance(argument, ast.Attribute) and argument.attr == "dtype" else argument


def _text(expression: ast.expr) -> str:
    text = ast.unparse(expression)
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[: _LONGEST - 3]}...`"
