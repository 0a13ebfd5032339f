"""Find out whether a printed type fits where another one is expected, if its marked values are Any.

The names tell it only in part: a type that is not known here accepts what it gets.
"""

import re
from typing import Final

from promo_mypy.plugin.types.printed_marks import DTYPE, MARK
from promo_mypy.plugin.types.printed_types import (
    ACCEPTING,
    CONTAINERS,
    class_of,
    may_accept,
    type_arguments,
    union_members,
)

_NUMBERS: Final = ("bool", "int", "float", "complex")
#: Numbers, texts and None: each accepts no other type, apart from narrower numbers.
_PLAIN: Final = (*_NUMBERS, "str", "bytes", "None")
#: Types that accept no number, besides containers.
_WITHOUT_NUMBERS: Final = ("ndarray[", "Array[", "Tensor[", "Callable[", "type[")
#: Types that accept no container.
_OTHERS: Final = (
    *_WITHOUT_NUMBERS,
    "matrix[", "SupportsFloat", "SupportsIndex", "SupportsInt", "SupportsComplex", "SupportsAbs[",
)  # fmt: skip
#: Classes that do not accept None.
_WITHOUT_NONE: Final = (
    "Array", "Tensor", "ndarray[", "tuple[", "list[", "dict[", "set[", "_Buffer", "_SupportsArray[", "_NestedSequence[",
)  # fmt: skip
#: How `declared_classes` prints a class that accepts no container.
CLASS: Final = "class "


def is_known(expected: str) -> bool:
    """Whether the name of a type alone tells what it accepts."""
    name = class_of(expected)
    names = (*_PLAIN, "Any", "object", *CONTAINERS, *map(class_of, (*_OTHERS, *_WITHOUT_NONE)))
    return name in names or re.match(rf"{MARK}|{DTYPE}", expected) is not None


def fits(given: str, expected: str) -> bool:
    """Whether every member without a mark fits, as far as the printed types tell."""
    return all(_member_fits(member, expected) for member in union_members(given))


def _member_fits(given: str, expected: str) -> bool:
    if re.match(MARK, given):
        return True
    wanted = union_members(expected)
    if given.startswith("tuple["):
        return any(_tuple_fits(given, each) for each in wanted)
    if given.startswith("Callable["):
        return any(_function_fits(given, each) for each in wanted)
    if given in _NUMBERS:
        wider = _NUMBERS[_NUMBERS.index(given) :]
        return any(each in wider or not _is_known_other(each) for each in wanted)
    if class_of(given) in ACCEPTING:
        return any(_container_fits(given, each) for each in wanted)
    if given == "None" and any(each.startswith(_WITHOUT_NONE) for each in wanted):
        return "None" in wanted
    if given in ("None", "str", "bytes") or re.match(DTYPE, given):
        number = {"float64": ("float", "complex"), "complex128": ("complex",)}.get(given, ())
        others = set(_PLAIN).difference(number)
        return any(each == given or each not in others for each in wanted)
    return not given.startswith("ndarray[") or any(_array_fits(given, each) for each in wanted)


def _is_known_other(expected: str) -> bool:
    """Whether a type accepts no number, if it is not one itself."""
    return expected in _PLAIN or class_of(expected) in CONTAINERS or expected.startswith(_WITHOUT_NUMBERS)


def _function_fits(given: str, expected: str) -> bool:
    """Whether what a function returns fits; its parameters are not compared."""
    if not expected.startswith("Callable["):
        return True
    return fits(type_arguments(given)[-1], type_arguments(expected)[-1])


def _array_fits(given: str, expected: str) -> bool:
    """Whether an array of inferred dtype fits where an array of no dtype, such as `dtype[int]`, is declared."""
    if not expected.startswith("ndarray[") or not re.search(rf"dtype\[{MARK}", given):
        return False  # an array without a mark
    shapes = (type_arguments(given)[0], type_arguments(expected)[0])
    return shapes[0] == shapes[1] or any("Any" in shape for shape in shapes)


def _container_fits(given: str, expected: str) -> bool:
    """Whether a container fits: those of Python are no number, text or array, and invariant in items that are known."""
    name, wanted = class_of(given), class_of(expected)
    if wanted not in CONTAINERS:
        return not (expected in _PLAIN or expected.startswith((CLASS, *_OTHERS)))
    if not may_accept(expected, name) or not _key_fits(given, expected):
        return False
    is_open = "Any" in expected or re.search(rf"\bAny\b|{MARK}|{DTYPE}", given) is not None
    return given == expected or wanted != name or is_open


def _key_fits(given: str, expected: str) -> bool:
    """Whether the keys of a dict have the type that is expected; True for any other container."""
    parts = [type_arguments(each) if each.endswith("]") else () for each in (given, expected)]
    keys = [part[0] for part in parts if len(part) == 2 and "..." not in part]
    return len(keys) < 2 or keys[0] == keys[1] or any(re.search(rf"\bAny\b|{MARK}", key) for key in keys)


def _tuple_fits(given: str, expected: str) -> bool:
    """Whether a tuple fits. Where no class of tuples is expected it is an error, whatever its items are."""
    if not may_accept(expected, "tuple"):
        return False
    items, wanted = type_arguments(given), type_arguments(expected) if expected.endswith("]") else ()
    if class_of(expected) in ("Container", "_NestedSequence") or not wanted or items[-1] == "...":
        return True
    if class_of(expected) != "tuple" or (len(wanted) == 2 and wanted[1] == "..."):
        wanted = [wanted[0] for _ in items]
    return len(items) == len(wanted) and all(map(fits, items, wanted))
