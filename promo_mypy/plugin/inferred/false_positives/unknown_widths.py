"""Find false positives about scalar variables whose width is unknown to the plugin, because they are bound again.

Stock mypy keeps the float64 of the first value, which fits where a float64 or a float is declared. No scalar of another
width does.
"""

import re
from collections.abc import Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import Expression, NameExpr, Var
from mypy.types import AnyType, Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.uses import uses_begun
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_foreign, is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types.union_members import members

CODES: Final = (codes.ARG_TYPE, codes.RETURN_VALUE)
#: A floating scalar of any width where a float64 is expected, or one of Python's numbers.
_MESSAGE: Final = r'(?:incompatible type|\(got) "[^"]*\bfloating\[Any\][^"]*"[;,] expected "(?:float|float64|complex)"'


def were_floats(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about a variable whose first value is a float64."""
    if re.search(_MESSAGE, error.message) is None:
        return False
    return any(_was_float(value, current) for _, value in uses_begun(current, error))


def _was_float(value: Expression, current: TypeChecker) -> bool:
    variable, declared = value.node if isinstance(value, NameExpr) else None, current.var_decl_frames
    if not isinstance(variable, Var) or not is_unannotated(variable):
        return False
    if is_foreign(variable, current.tree.fullname):
        return True  # its values are not known here
    if not isinstance(declared, Declarations):
        return False
    bound = declared.variables.known.bound.get(variable)
    first = _part(current.lookup_type_or_none(bound[0][0]), bound[0][1]) if bound else None
    known = [each for each in members(first) if not isinstance(each, AnyType)] if first is not None else []
    is_float = all(isinstance(each, Instance) and each.type.has_base(names.NUMPY_FLOAT64) for each in known)
    return first is not None and is_float


def _part(typ: Type | None, path: Sequence[object]) -> Type | None:
    """The item of a tuple at a path of positions; None of any other type."""
    for place in path:
        whole = get_proper_type(typ)
        if not isinstance(whole, TupleType) or not isinstance(place, int) or place >= len(whole.items):
            return None
        typ = whole.items[place]
    return typ
