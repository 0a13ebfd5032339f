"""Find out whether mypy would reject a call even if its values of inferred dtype were Any, or had no dtype."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, RefExpr
from mypy.types import AnyType, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.inferred.false_positives.uses import nodes_at
from promo_mypy.plugin.mypy_api.call_checking import is_rejected_with
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker, is_reported
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.recursive_aliases import is_recursive
from promo_mypy.plugin.types.union_members import members
from promo_mypy.rules.wording import diagnostics

_ANY: Final = AnyType(TypeOfAny.from_error)


def are_reported(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether the plugin has reported a call for which NumPy's stubs limit the dtype of `out=` by a type variable."""
    code = CODES[diagnostics.UNDEFINED]
    return any(is_reported(current, call, code) for call in _calls(current, error))


def are_of_unknown_dtype(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether a type variable of NumPy's stubs has no value for inferred dtypes, and has one for unknown ones."""
    calls = [call for call in _calls(current, error) if _is_of_numpy(call.callee)]
    return bool(calls) and not any(is_rejected_with(current, call, _without_inferred_dtype) for call in calls)


def _is_of_numpy(callee: Expression) -> bool:
    return isinstance(callee, RefExpr) and callee.fullname.startswith("numpy.")


def _without_inferred_dtype(value: Expression, typ: Type) -> Type:
    return without_dtypes(typ) if value_marks.has_marked_dtype(typ) else _without_mark(value, typ)


def _calls(current: TypeChecker, error: ErrorInfo) -> Iterator[CallExpr]:
    return (node for node in nodes_at(current, error) if isinstance(node, CallExpr))


def _without_mark(value: Expression, typ: Type) -> Type:
    """The type of a value with Any in place of marked types: of a union with None, only for its other members."""
    if is_recursive(typ):
        return typ
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        return proper.copy_modified(items=[_without_mark(value, item) for item in proper.items])
    items = list(members(typ))
    if any(map(value_marks.is_marked, items)):
        return UnionType.make_union([_ANY if value_marks.is_marked(item) else item for item in items])
    return value_marks.without_inner_marks(typ)
