"""Find expressions whose dtype each call of their function decides, without a type variable.

`Promote["x", "y"]` in the annotation of a result names parameters whose dtypes come from the caller, like type
variables.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from mypy.types import AnyType, get_proper_type

from promo_mypy.inference.program import Known, Module
from promo_mypy.inference.scopes import Scopes
from promo_mypy.plugin import names
from promo_mypy.rules import functions

_PROMOTE: Final = names.PROMOTE.rpartition(".")[2]


class DecidedByCalls:
    """Finds such expressions in one module."""

    def __init__(self, module: Module, scopes: Scopes) -> None:
        self._scopes = scopes
        self._known: Final[Mapping[int, Known]] = {id(each.syntax): each for each in module.expressions}
        self._found: Final[dict[int, bool]] = {}

    def __contains__(self, expression: ast.expr) -> bool:
        """Whether it is computed from such parameters and known values, by known operators and functions."""
        key = id(expression)
        if key not in self._found:
            self._found[key] = False  # a value that depends on itself
            self._found[key] = self._is_decided(expression)
        return self._found[key]

    def _is_decided(self, expression: ast.expr) -> bool:
        match expression:
            case ast.Name() if self._scopes.parameter(expression) is not None:
                function = self._scopes.definition(expression)
                return function is not None and expression.id in _promoted(function)
            case ast.Name():
                values = self._scopes.values(expression)
                return bool(values) and self._scopes.binds_plainly(expression) and all(each in self for each in values)
            case ast.BinOp():
                return self._is_made_of(expression.left, expression.right)
            case ast.UnaryOp():
                return self._is_made_of(expression.operand)
            case ast.Compare():
                return self._is_made_of(expression.left, *expression.comparators)
            case ast.Call():
                name = self._scopes.imported(expression.func)
                arguments = [*expression.args, *(keyword.value for keyword in expression.keywords)]
                return name is not None and functions.find(name) is not None and self._is_made_of(*arguments)
        return False

    def _is_made_of(self, *parts: ast.expr) -> bool:
        every = [each for part in parts for each in _displayed(part)]
        decided = [each in self for each in every]
        others = (part for part, is_decided in zip(every, decided, strict=True) if not is_decided)
        return any(decided) and all(map(self._is_known, others))

    def _is_known(self, expression: ast.expr) -> bool:
        known = self._known.get(id(expression))
        if known is None:
            return isinstance(expression, ast.Constant)
        if known.arrays is not None:
            return known.arrays.dtypes is not None
        return not any(isinstance(get_proper_type(typ), AnyType) for typ in known.types)


def _promoted(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The names in the `Promote["x", "y"]` of a function's result."""
    for node in ast.walk(function.returns) if function.returns is not None else ():
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] == _PROMOTE:
            constants = (part.value for part in ast.walk(node.slice) if isinstance(part, ast.Constant))
            yield from (value for value in constants if isinstance(value, str))


def _displayed(expression: ast.expr) -> Iterator[ast.expr]:
    if isinstance(expression, ast.Tuple | ast.List):
        for item in expression.elts:
            yield from _displayed(item)
    else:
        yield expression
