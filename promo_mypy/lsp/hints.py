"""Find what an editor shows between the words of a file: dtypes of assigned names, and of operators that promote."""

import ast
from collections.abc import Iterator
from typing import Final

from promo_mypy.linting.values import FileValues, named, strong
from promo_mypy.lsp.expression_dtypes import ExpressionDtypes
from promo_mypy.lsp.messages import Hint
from promo_mypy.program.syntax.written import place_of

_BOOL: Final = "b"


def hints_of(values: FileValues) -> tuple[Hint, ...]:
    """The hints of a file, in the order of the text; none if the running Python cannot parse it."""
    if values.text.tree is None:
        return ()
    hints = _Hints(values)
    return tuple(sorted((hint for node in values.text.file.checked_once for hint in hints.of(node)), key=_place))


class _Hints:
    def __init__(self, values: FileValues) -> None:
        self._text = values.text
        self._dtypes = ExpressionDtypes(values)
        self._assigned: Final[dict[int, str]] = {}

    def of(self, node: ast.AST) -> Iterator[Hint]:
        match node:
            case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target=target, value=value):
                yield from self._of_target(target, value)
            case ast.BinOp():
                yield from self._of_operator(node)

    def _of_target(self, target: ast.expr, value: ast.expr | None) -> Iterator[Hint]:
        if isinstance(target, ast.Tuple | ast.List):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            for index, each in enumerate(target.elts):
                yield from self._of_target(each, parts[index] if len(parts) == len(target.elts) else None)
        elif isinstance(target, ast.Name | ast.Attribute):
            name = self._dtypes.name(target) or (self._dtypes.name(value) if value is not None else "")
            if name:
                if value is not None:
                    self._assigned[id(value)] = name
                yield self._hint(target, name)

    def _of_operator(self, node: ast.BinOp) -> Iterator[Hint]:
        result = self._dtypes.of(node)
        operands = [found for each in (node.left, node.right) if (found := self._dtypes.of(each))]
        if not result or not operands or any(dtype.kind == _BOOL for dtype in result):
            return
        if any(strong(each) != strong(result) for each in operands):
            name = named(result)
            yield self._hint(node, name, is_operator=True, is_repeated=self._assigned.get(id(node)) == name)

    def _hint(self, node: ast.expr, dtype: str, *, is_operator: bool = False, is_repeated: bool = False) -> Hint:
        span = self._text.span(place_of(node))
        return Hint(span.end_line, span.end_column, dtype, is_operator, is_repeated)


def _place(hint: Hint) -> tuple[int, int]:
    return hint.line, hint.column
