"""Compare the classes in an error of mypy, without the dtypes: is it about NumPy's arrays and scalars alone?"""

import re
from collections.abc import Sequence
from typing import Final

from promo_mypy.plugin.messages.printed_types import type_arguments, union_members

#: The classes of NumPy's arrays and scalars and of those of ml_dtypes, and what mypy joins arrays of several dtypes to.
#: A bool of NumPy is printed without its module where Python's bool is printed with it.
_OF_NUMPY: Final = re.compile(
    r"(?:ndarray|(?:numpy\.)?bool(?=\[)|numpy\.bool|(?:complex)?floating|(?:un)?signedinteger|integer|number|inexact"
    r"|generic|float64|complex128|bfloat16|float8_\w+|u?int[24]|_Float|_Integer|_ArrayOrScalarCommon|_RealMixin|object)"
    r"(?:\[.*\])?$"
)
#: What NumPy's arrays and scalars have operators for.
_BESIDE: Final = frozenset({"int", "float", "complex", "bool", "builtins.bool", "Array", "Tensor"})
_PAIR: Final = re.compile(
    r'(?:incompatible type|\(got|(?:expression|default) has type)(?: "\w+":)? "([^"]*)"[;,] '
    r'(?:expected|(?:variable|target|parameter) has type|base class "\w+" defined the type as)(?: "\w+":)? "([^"]*)"'
)
_OPERANDS: Final = re.compile(
    r'operand types? for (?:unary )?\S+ \((?P<unsupported>.*)\)$|No overload variant of "__\w+__" of (?P<overload>.*)$'
)
_OWNER: Final = re.compile(r'^(?:Value of type |Item )?"([^"]*)" (?:of "[^"]*" )?(?:has no attribute|is not indexable)')
_QUOTED: Final = r'"([^"]*)"'


def is_about_arrays(text: str) -> bool:
    """Whether an error is about arrays and scalars of NumPy on both sides: only a dtype or shape may be wrong."""
    if (pair := _PAIR.search(text)) is not None:
        return fits_without_dtypes(pair[1], pair[2])
    if (operands := _OPERANDS.search(text)) is not None:
        return _are_operands(re.findall(_QUOTED, operands["unsupported"] or operands["overload"]))
    if (owner := _OWNER.search(text)) is not None:
        return _is_of_numpy(owner[1])
    return False


def fits_without_dtypes(given: str, expected: str) -> bool:
    """Whether each member of a printed union fits one of another, if all arrays and scalars of NumPy are one class."""
    return all(any(_fits(one, other) for other in union_members(expected)) for one in union_members(given))


def _fits(given: str, expected: str) -> bool:
    if given == expected or "Any" in (given, expected) or (_is_of_numpy(given) and _is_of_numpy(expected)):
        return True
    names = [each.partition("[")[0] for each in (given, expected)]
    if names[0] != names[1] or not (given.endswith("]") and expected.endswith("]")):
        return False
    one, other = type_arguments(given), type_arguments(expected)
    return len(one) == len(other) and all(map(_arguments_fit, one, other))


def _arguments_fit(given: str, expected: str) -> bool:
    """The same for type arguments; those of a function are a list of its parameters."""
    if given.startswith("[") and expected.startswith("["):
        return True
    return fits_without_dtypes(given, expected)


def _is_of_numpy(printed: str) -> bool:
    return all(_OF_NUMPY.match(each) is not None or each == "Any" for each in union_members(printed))


def _are_operands(printed: Sequence[str]) -> bool:
    """Whether one operand is of NumPy, and the others are, too, or are numbers, or arrays of another library."""
    is_any = any(each != "Any" and _is_of_numpy(each) for each in printed)
    return is_any and all(_is_of_numpy(each) or set(union_members(each)) <= _BESIDE for each in printed)
