"""Find the dtypes that names of libraries and of Python stand for."""

import ast

from promo_mypy.program.checked.array_kinds import ArrayKind
from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.program.syntax.scopes import Scopes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import PYTHON_TYPES


def named_dtype(
    expression: ast.expr, scopes: Scopes, kind: ArrayKind, typed: TypedExpressions
) -> type[dt.Shaped] | None:
    """The dtype that a scalar class of a library or of Python stands for, for arrays of one library."""
    name = scopes.imported(expression)
    if name is not None:
        module, _, scalar = name.rpartition(".")
        return kind.dtypes.get(scalar) if module == kind.module and scalar.isidentifier() else None
    if not isinstance(expression, ast.Name) or typed.known(expression) is None:
        return None
    is_bound = scopes.parameter(expression) or scopes.values(expression) or not scopes.binds_plainly(expression)
    return None if is_bound else PYTHON_TYPES.get(f"builtins.{expression.id}")
