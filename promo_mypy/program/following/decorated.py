"""Find out whether a decorated function returns the dtypes of its body.

JAX makes its own arrays of what a function returns, and without x64 they are narrower. Numba has promotion rules of its
own, which agree with NumPy's on the dtypes of Python numbers.
"""

import ast
from typing import Final

from promo_mypy.plugin.interface.arrays import Library
from promo_mypy.program.checked.arrays import Arrays
from promo_mypy.program.syntax.scopes import Scopes
from promo_mypy.rules import dtypes as dt

_OF_NUMBA: Final = frozenset({dt.bool_, dt.int64, dt.float64, dt.complex128})
_PLAIN: Final = frozenset({"functools", "typing", "staticmethod", "classmethod"})
_LIBRARIES: Final = {"jax": frozenset({Library.JAX}), "torch": frozenset({Library.TORCH})}


def results_kept(function: ast.FunctionDef, scopes: Scopes, arrays: Arrays | None) -> Arrays | None:
    """The arrays that a function returns if its body returns these; None if a decorator may change them."""
    if arrays is None:
        return None
    return arrays if all(_keeps(each, scopes, arrays) for each in function.decorator_list) else None


def _keeps(decorator: ast.expr, scopes: Scopes, arrays: Arrays) -> bool:
    while isinstance(decorator, ast.Call):
        is_partial = (scopes.imported(decorator.func) or "").endswith("partial") and decorator.args
        decorator = decorator.args[0] if is_partial else decorator.func
    name = scopes.imported(decorator) or (decorator.id if isinstance(decorator, ast.Name) else "")
    library = name.partition(".")[0]
    if library == "numba":
        return arrays.libraries == {Library.NUMPY} and arrays.dtypes is not None and arrays.dtypes <= _OF_NUMBA
    return library in _PLAIN or arrays.libraries == _LIBRARIES.get(library)
