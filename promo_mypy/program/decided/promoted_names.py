"""Read the names of parameters in `Promote["x", "y"]`, the annotation of a function's result."""

import ast
from collections.abc import Iterator
from typing import Final

from promo_mypy.plugin.interface.arrays import names

_PROMOTE: Final = names.PROMOTE.rpartition(".")[2]


def promoted_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The names in the `Promote["x", "y"]` of a function's result."""
    for node in ast.walk(function.returns) if function.returns is not None else ():
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] == _PROMOTE:
            constants = (part.value for part in ast.walk(node.slice) if isinstance(part, ast.Constant))
            yield from (value for value in constants if isinstance(value, str))
