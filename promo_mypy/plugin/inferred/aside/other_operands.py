"""Tell whether a value is rejected only because of the type that the plugin infers: a key, a function beside a mark."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, Expression, IndexExpr
from mypy.types import Type

from promo_mypy.plugin.inferred.aside.stock_errors import StockCheck
from promo_mypy.plugin.mypy_api.checker.call_checking import errors_of_arguments, errors_of_item
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.types.value_marks import scalar_without_mark, unmarked

_OF_ITEM: Final = r'No overload variant of "(__(?:get|set|del)item__)"'


def is_rejected_for_key(current: TypeChecker, check: StockCheck, error: ErrorInfo) -> bool:
    """Whether mypy would accept the item if its container and key had the types that stock mypy infers."""
    method = re.match(_OF_ITEM, error.message)
    if method is None:
        return False
    is_stored = method[1] == "__setitem__"
    found = ((item, stored) for item, stored in _items(check, error) if len(stored) == is_stored)
    item, stored = next(found, (None, ()))

    def changed(expression: Expression, typ: Type) -> Type:
        return typ if any(expression is value for value in stored) else check.type_of(expression) or typ

    return item is not None and not errors_of_item(current, method[1], item, stored, changed)


def is_rejected_for_mark(current: TypeChecker, check: StockCheck, error: ErrorInfo) -> bool:
    """Whether mypy would accept the arguments of a call if they had no marks: `apply(x, f)` with a marked `x`."""
    place = (error.line, error.column)
    for call in check.nodes:
        if isinstance(call, CallExpr) and any((each.line, each.column) == place for each in call.args):
            return not all(errors_of_arguments(current, call, changed) for changed in (_as_array, _as_scalar))
    return False


def _as_array(_: Expression, typ: Type) -> Type:
    return unmarked(typ)


def _as_scalar(_: Expression, typ: Type) -> Type:
    return scalar_without_mark(typ)


def _items(check: StockCheck, error: ErrorInfo) -> Iterator[tuple[IndexExpr, Sequence[Expression]]]:
    """The items in the place of an error, each with the value that is stored in it."""
    place = (error.line, error.column)
    for node in check.nodes:
        if isinstance(node, AssignmentStmt):
            for target in node.lvalues:
                if isinstance(target, IndexExpr) and place in _places(target):
                    yield target, [node.rvalue]
        elif isinstance(node, IndexExpr) and place in _places(node):
            yield node, []


def _places(item: IndexExpr) -> Sequence[tuple[int, int]]:
    return [(each.line, each.column) for each in (item, item.index)]
