"""Find false positives about a display with an item that is Any to stock mypy, where a union of containers is declared.

To stock mypy `["a", x.mean()]` is a `list[Any]`. The plugin knows that item, and mypy joins both to an object if no
member of the union tells it what the items are.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import DictExpr, Expression, ListExpr, SetExpr, TupleExpr

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.library_parameters import is_of_library
from promo_mypy.plugin.inferred.false_positives.uses import given_at
from promo_mypy.plugin.inferred.stock.any_to_stock import is_any_to_stock
from promo_mypy.plugin.mypy_api.call_checking import checked_type
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types import marked_messages, value_marks
from promo_mypy.plugin.types.printed_types import ACCEPTING, class_of, type_arguments, union_members

CODES: Final = (codes.ARG_TYPE, codes.ASSIGNMENT, codes.DICT_ITEM, codes.LIST_ITEM, codes.RETURN_VALUE)

_ANY: Final = "Any"
_OBJECT: Final = "object"


def fit(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether the error is about such a display, which fits with items of Any."""
    types, declared = marked_messages.given_and_expected(error.message), current.var_decl_frames
    if types is None or class_of(types[0]) not in ACCEPTING or not isinstance(declared, Declarations):
        return False
    given = given_at(current, error)
    if marked_messages.wants_dtype(error.message) and not any(is_of_library(node, current) for node, _ in given):
        return False
    type_of = partial(checked_type, current, error)

    def is_any(item: Expression) -> bool:
        return value_marks.is_marked(type_of(item)) or is_any_to_stock(item, declared.variables, type_of)

    opened = (_opened(value, types[0], is_any) for _, value in given)
    return any(each != types[0] and _fits(each, types[1]) for each in opened)


def _opened(value: Expression, printed: str, is_any: Callable[[Expression], bool]) -> str:
    """The printed type of a value as stock mypy infers it: an item of Any makes all items of the display Any."""
    match value:
        case TupleExpr(items=items):
            parts = _arguments(printed, "tuple", len(items))
            pairs = zip(items, parts, strict=True)
            opened = (_any(part) if is_any(item) else _opened(item, part, is_any) for item, part in pairs)
            return f"tuple[{', '.join(opened)}]"
        case ListExpr(items=items):
            return f"list[{_of_items(items, _arguments(printed, 'list', 1)[0], is_any)}]"
        case SetExpr(items=items):
            return f"set[{_of_items(items, _arguments(printed, 'set', 1)[0], is_any)}]"
        case DictExpr(items=entries):
            key, item = _arguments(printed, "dict", 2)
            return f"dict[{key}, {_of_items([each for _, each in entries], item, is_any)}]"
        case _:
            return printed


def _arguments(printed: str, name: str, count: int) -> Sequence[str]:
    """The type arguments of a display. mypy prints an object in its place if it joins it with another one."""
    found = type_arguments(printed) if printed.startswith(f"{name}[") else ()
    return found if len(found) == count else [_OBJECT] * count


def _of_items(items: list[Expression], printed: str, is_any: Callable[[Expression], bool]) -> str:
    if any(map(is_any, items)):
        return _any(printed)
    opened = (_opened(item, printed, is_any) for item in items)
    return next((each for each in opened if re.search(rf"\b{_ANY}\b", each)), printed)


def _any(printed: str) -> str:
    """Any in place of a type, beside None if that may be the value: stock mypy knows it."""
    return f"{_ANY} | None" if "None" in union_members(printed) else _ANY


def _fits(given: str, expected: str) -> bool:
    """Whether a printed type fits where another one is expected, as far as the names tell."""
    wanted = union_members(expected)
    return all(any(_member_fits(member, each) for each in wanted) for member in union_members(given))


def _member_fits(given: str, expected: str) -> bool:
    if given in (_ANY, expected) or expected in (_ANY, _OBJECT):
        return True
    name, wanted = class_of(given), class_of(expected)
    if wanted not in ACCEPTING.get(name, ()):
        return False
    items, declared = type_arguments(given), type_arguments(expected) if expected.endswith("]") else ()
    if not declared:
        return True
    if name == "dict" and len(declared) == 1:  # an iterable of the keys
        return _fits(items[0], declared[0])
    if name == "tuple" and (wanted != "tuple" or declared[1:] == ["..."]):
        return all(_fits(item, declared[0]) for item in items)
    return len(items) == len(declared) and all(map(_fits, items, declared))
