"""Find false positives about arrays of a category of dtypes or another dtype, where the category is declared.

The sum of two arrays of `np.integer` may be float64. Where `np.integer` is declared, an error is not certain, and stock
mypy infers no dtype.
"""

import re
from collections.abc import Collection
from typing import Final

from mypy import errorcodes as codes

from promo_mypy.plugin.inferred.aside.stock_errors import StockCheck
from promo_mypy.plugin.inferred.false_positives.uses import place_of, uses
from promo_mypy.plugin.messages import printed_marks
from promo_mypy.plugin.messages.printed_types import type_arguments, union_members
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype

CODES: Final = (codes.ARG_TYPE, codes.ASSIGNMENT, codes.DICT_ITEM, codes.LIST_ITEM, codes.RETURN_VALUE)

#: Class of NumPy -> the class above it.
ABOVE: Final = {
    "floating": "inexact", "complexfloating": "inexact",
    "signedinteger": "integer", "unsignedinteger": "integer", "integer": "number", "inexact": "number",
}  # fmt: skip
_CATEGORY: Final = r"(?:integer|inexact|floating|signedinteger|unsignedinteger|complexfloating|number)\[Any\b"
#: The given and the expected type in a message.
TYPES: Final = r'(?:incompatible type(?: "[^"]*":)?|\(got|expression has type) "([^"]*)"[^"]*"(?:[^"]*": ")?([^"]*)"'


def may_fit(current: TypeChecker, check: StockCheck, error: ErrorInfo) -> bool:
    """Whether an error is about such an array, and the category fits."""
    if re.search(_CATEGORY, error.message) is None:
        return False
    types = re.search(TYPES, printed_marks.without_marks(error.message))
    if types is None or not _fits(types[1], types[2]):
        return False
    values = (check.type_of(value) for _, value in uses(current, error).get(place_of(error), ()))
    return any(typ is not None and has_unknown_dtype(typ, check.platform) for typ in values)


def _fits(given: str, expected: str) -> bool:
    wanted = union_members(expected)
    kinds = [_dtypes(each) for each in union_members(given) if each not in (*wanted, "Any")]
    declared = {dtype for each in wanted for dtype in _dtypes(each)}
    return bool(kinds) and all(len(kind) > 1 and any(_is_in(dtype, declared) for dtype in kind) for kind in kinds)


def _is_in(dtype: str, declared: Collection[str]) -> bool:
    """Whether this is a category, and it is declared, or a category that has it."""
    if re.match(_CATEGORY, dtype) is None:
        return False
    every, name = {each.partition("[")[0] for each in declared if re.match(_CATEGORY, each)}, dtype.partition("[")[0]
    while name not in every and name in ABOVE:
        name = ABOVE[name]
    return name in every


def _dtypes(array: str) -> list[str]:
    """The dtypes of a printed array; none for any other type."""
    if not array.startswith("ndarray["):
        return []
    dtype = type_arguments(array)[1]
    return list(union_members(dtype[len("dtype[") : -1])) if dtype.startswith("dtype[") else []
