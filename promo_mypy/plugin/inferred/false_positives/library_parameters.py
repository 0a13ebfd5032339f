"""Find false positives about a value of inferred dtype that a function or class of NumPy gets.

NumPy's stubs name fewer dtypes than NumPy accepts: `np.ma.array(x, mask=...)` takes integers, and `x.flat[...]` bools.
The rules know which dtypes NumPy rejects.
"""

from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr, NameExpr, Node, RefExpr, Var
from mypy.types import Instance, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.uses import given_at
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types import marked_messages
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype

CODES: Final = (codes.ARG_TYPE, codes.INDEX)

_NUMPY: Final = "numpy."


def take_other_dtypes(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about a value of inferred dtype, and NumPy's stubs declare the parameter."""
    if not marked_messages.wants_dtype(error.message) or marked_messages.is_of_container(error.message):
        return False
    given = given_at(current, error)
    if marked_messages.gives_any(error.message) and any(is_of_library(node, current) for node, _ in given):
        return True
    found = [use for use in given if _is_of_numpy(use[0], current)]
    if not found:
        return False
    is_marked = marked_messages.gives_marked(error.message)
    return is_marked or any(_has_inferred_dtype(value, current) for _, value in found)


def is_of_library(node: Node, current: TypeChecker) -> bool:
    """Whether this calls a function or method of an array library, which accepts arrays of any dtype."""
    name = _owner(node, current)
    return name is not None and is_own(name)


def _is_of_numpy(node: Node, current: TypeChecker) -> bool:
    name = _owner(node, current)
    return name is not None and name.startswith(_NUMPY)


def _owner(node: Node, current: TypeChecker) -> str | None:
    """The full name of the function that is called, or that of the class of which a method or an index is used."""
    match node:
        case CallExpr(callee=RefExpr(fullname=name)) if name:
            return name
        case CallExpr(callee=MemberExpr(expr=owner)) | IndexExpr(base=owner):
            typ = get_proper_type(current.lookup_type_or_none(owner))
            return typ.type.fullname if isinstance(typ, Instance) else None
        case _:
            return None


def _has_inferred_dtype(value: Expression, current: TypeChecker) -> bool:
    """Whether stock mypy may infer no dtype for a value, or several overloads fit because of an unknown dtype."""
    declared, type_of = current.var_decl_frames, current.lookup_type_or_none
    variable = value.node if isinstance(value, NameExpr) else None
    is_annotated = isinstance(variable, Var) and not variable.is_inferred
    if is_annotated or not isinstance(declared, Declarations):
        return False
    if declared.variables.stock(type_of).may_have_any_dtype(value):
        return True
    calls = declared.variables.values_of(variable) if isinstance(variable, Var) else [value]
    given = (type_of(argument) for call in calls if isinstance(call, CallExpr) for argument in call.args)
    platform = current.options.platform
    return any(typ is not None and has_unknown_dtype(typ, platform) for typ in given)
