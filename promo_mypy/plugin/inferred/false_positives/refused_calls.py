"""Find out whether mypy would reject a call even if its values of inferred dtype were Any, or had no dtype."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr
from mypy.types import AnyType, Type, TypeOfAny

from promo_mypy.plugin.inferred.false_positives.uses import nodes_at
from promo_mypy.plugin.mypy_api.call_checking import is_rejected_with
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.container_types import opened

_NOT_SOLVED: Final = "Cannot infer value of type parameter "


def is_refused_anyway(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error about a call is also about its other arguments."""
    return any(is_rejected_with(current, call, _without_mark) for call in _calls(current, error))


def differ_in_dtype(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether mypy finds no value of a type variable only because arguments have different dtypes.

    A type variable declares no dtype: `f(xs: list[T], x: T)` accepts a list of tensors and any tensor.
    """
    if not error.message.startswith(_NOT_SOLVED):
        return False
    calls = list(_calls(current, error))
    return bool(calls) and not any(is_rejected_with(current, call, _without_dtypes) for call in calls)


def _calls(current: TypeChecker, error: ErrorInfo) -> Iterator[CallExpr]:
    return (node for node in nodes_at(current, error) if isinstance(node, CallExpr))


def _without_dtypes(typ: Type) -> Type:
    return _without_mark(opened(typ))


def _without_mark(typ: Type) -> Type:
    return AnyType(TypeOfAny.from_error) if value_marks.is_marked(typ) else typ
