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
    found = [use for use in given_at(current, error) if _is_of_numpy(use[0], current)]
    if not found:
        return False
    is_marked = marked_messages.gives_marked(error.message)
    return is_marked or any(_has_inferred_dtype(value, current) for _, value in found)


def _is_of_numpy(node: Node, current: TypeChecker) -> bool:
    match node:
        case CallExpr(callee=RefExpr(fullname=name)) if name.startswith(_NUMPY):
            return True
        case CallExpr(callee=MemberExpr(expr=owner)) | IndexExpr(base=owner):
            typ = get_proper_type(current.lookup_type_or_none(owner))
            return isinstance(typ, Instance) and typ.type.fullname.startswith(_NUMPY)
        case _:
            return False


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
