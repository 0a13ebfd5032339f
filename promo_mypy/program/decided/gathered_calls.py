"""Recognize calls that return their arguments in a list: `Parallel(2)(delayed(f)(x) for x in xs)` of joblib."""

import ast
from collections.abc import Callable

from promo_mypy.program.decided.function_names import GATHERING
from promo_mypy.program.syntax.scopes import Scopes


def gathers(function: ast.expr, scopes: Scopes, name_of: Callable[[ast.expr], str | None]) -> bool:
    """Whether a value that is called is such an object, also one in a variable."""
    if isinstance(function, ast.Call):
        return name_of(function.func) in GATHERING
    values = scopes.values(function) if isinstance(function, ast.Name) and scopes.binds_plainly(function) else ()
    return bool(values) and all(isinstance(each, ast.Call) and gathers(each, scopes, name_of) for each in values)
