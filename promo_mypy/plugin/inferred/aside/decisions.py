"""Decide whether an error of mypy is shown: stock mypy makes it, too, or it is about a declared dtype."""

from collections.abc import Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.subtypes import is_subtype
from mypy.types import Type

from promo_mypy.plugin.inferred.aside import other_operands
from promo_mypy.plugin.inferred.aside.declared_places import UNDECLARED, declared_types
from promo_mypy.plugin.inferred.aside.stock_errors import StockCheck
from promo_mypy.plugin.inferred.false_positives.uses import place_of, uses
from promo_mypy.plugin.messages import marked_messages
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.types.value_marks import unmarked
from promo_mypy.plugin.types.walks import members

#: The codes of errors about a value that does not fit its place. No other error is about a declared dtype.
OF_VALUES: Final = frozenset(
    {
        codes.ARG_TYPE, codes.ASSIGNMENT, codes.CALL_OVERLOAD, codes.DICT_ITEM, codes.INDEX, codes.LIST_ITEM,
        codes.MISC, codes.RETURN_VALUE, codes.TYPEDDICT_ITEM, codes.TYPE_VAR, codes.OVERRIDE,
    }
)  # fmt: skip


def is_about_declared(current: TypeChecker, check: StockCheck, error: ErrorInfo) -> bool:
    """Whether an error that stock mypy does not make is about a declared dtype."""
    if error.code not in OF_VALUES or other_operands.is_rejected_for_key(current, check, error):
        return False
    if error.code is codes.ARG_TYPE and other_operands.is_rejected_for_mark(current, check, error):
        return False
    message = marked_messages.with_quotes(error.message)
    pair = marked_messages.given_and_expected(message)
    if pair is not None and (not marked_messages.wants_dtype(message) or marked_messages.may_fit(*pair)):
        return False
    declared = list(declared_types(current, check, error))
    if _is_about_another(current, check, error, declared):
        return False
    if error.code is not codes.ASSIGNMENT and pair is not None and any(each is UNDECLARED for each in declared):
        return True
    return any(map(check.mentions_dtype, declared))


def _is_about_another(current: TypeChecker, check: StockCheck, error: ErrorInfo, declared: Sequence[Type]) -> bool:
    """Whether each member of the value that names a dtype fits, so that mypy rejects another one: a number, or None."""
    for _, value in uses(current, error).get(place_of(error), ()):
        typ = current.lookup_type_or_none(value)
        given = members(typ) if typ is not None else ()
        arrays = [unmarked(each) for each in given if check.mentions_dtype(each)]
        if 0 < len(arrays) < len(given) and all(any(is_subtype(each, other) for other in declared) for each in arrays):
            return True
    return False
