"""Find out whether mypy would reject a call even if its values of inferred dtype were Any."""

from mypy.nodes import CallExpr
from mypy.types import AnyType, Type, TypeOfAny

from promo_mypy.plugin.inferred.false_positives.uses import place_of
from promo_mypy.plugin.mypy_api.call_checking import is_rejected_with
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in
from promo_mypy.plugin.types import value_marks


def is_refused_anyway(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error about a call is also about its other arguments."""
    calls = (
        node
        for node in nodes_in(Region.around(current.tree.defs, error.line))
        if isinstance(node, CallExpr) and place_of(node) == place_of(error)
    )
    return any(is_rejected_with(current, call, _without_mark) for call in calls)


def _without_mark(typ: Type) -> Type:
    return AnyType(TypeOfAny.from_error) if value_marks.is_marked(typ) else typ
