"""Decide whether an error of mypy is shown: stock mypy makes it, too, or it is about a declared dtype."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import Expression, NameExpr, Var
from mypy.types import FunctionLike, Instance, Type, get_proper_type

from promo_mypy.plugin.inferred.aside import other_operands
from promo_mypy.plugin.inferred.aside.declared_places import declared_types
from promo_mypy.plugin.inferred.aside.stock_errors import StockCheck
from promo_mypy.plugin.inferred.false_positives.uses import values_at
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.types.array_types import read
from promo_mypy.plugin.types.container_types import any_array
from promo_mypy.plugin.types.dtype_fits import Fits, items_within
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
    declared = declared_types(current, check, error)
    if not any(map(check.mentions_dtype, declared)):
        return False
    fits = Fits(check.platform, check.mentions_dtype)
    return not any(_may_fit(given, expected, fits, check) for given, expected in _pairs(current, declared, error))


def _may_fit(given: Type, expected: Type, fits: Fits, check: StockCheck) -> bool:
    """Whether a value may have a declared dtype: if its arrays have it, mypy rejects a number, or None beside them."""
    arrays = [each for each in members(given) if check.mentions_dtype(each)]
    return fits.may_fit(given, expected) or (bool(arrays) and all(fits.may_fit(each, expected) for each in arrays))


def has_several_dtypes(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about a value with an array that has one of several dtypes, to the plugin."""
    values = values_at(current, error) if error.code in OF_VALUES else ()
    given = (_type_of(value, current) for value, _ in values)
    return any(typ is not None and any_array(typ, partial(_has_several, current.options.platform)) for typ in given)


def _has_several(platform: str, array: Instance) -> bool:
    return any(len(value.dtypes) > 1 for value in read(array, platform) or ())


def may_fit_declared(current: TypeChecker, check: StockCheck, error: ErrorInfo) -> bool:
    """Whether mypy rejects a value that has a declared dtype: it compares a union of dtypes with a union of arrays."""
    pairs = _pairs(current, declared_types(current, check, error), error)
    return any(Fits(check.platform).may_fit(given, expected) for given, expected in pairs)


def _pairs(current: TypeChecker, declared: Sequence[Type], error: ErrorInfo) -> Iterator[tuple[Type, Type]]:
    """The types of the values that an error may be about, each with what it may be expected to be.

    Of a function that is passed, its own types decide.
    """
    for value, is_item in values_at(current, error):
        typ = _type_of(value, current)
        if typ is None or isinstance(get_proper_type(typ), FunctionLike):
            continue
        for each in declared:
            is_inside = is_item or isinstance(get_proper_type(each), FunctionLike)
            yield from ((typ, expected) for expected in (items_within(each) if is_inside else [each]))


def _type_of(value: Expression, current: TypeChecker) -> Type | None:
    """The type of a value. mypy does not keep that of a name in a display."""
    variable = value.node if isinstance(value, NameExpr) else None
    return current.lookup_type_or_none(value) or (variable.type if isinstance(variable, Var) else None)
