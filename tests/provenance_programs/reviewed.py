"""Errors of one run only that are right."""

import re
from typing import Final

from tests.mypy_runs import Message

_OF_STUBS: Final = (
    r"ndarray\[|_ArrayOrScalarCommon|\bobject\b|signedinteger|floating|\bfloat64|\bcomplex128|numpy\.bool|bfloat16"
    r"|_UFunc|type parameter|Need type annotation|integer\["
)
_NUMBERS: Final = frozenset({"int", "float", "complex", "bool", "str", "None"})
_GIVEN: Final = r'(?:incompatible type|\(got|expression has type|actual type) "([^"]*)"'


def is_of_several(message: Message) -> bool:
    """Whether the value has one of several types: a branch that was not executed gives it another dtype."""
    given = re.search(_GIVEN, message.text)
    return given is not None and (" | " in given[1].replace("_32Bit | _64Bit", "") or "generic[" in given[1])


def is_fair(message: Message) -> bool:
    """Whether an error of stock mypy is about a dtype or shape of NumPy's stubs, or about a join with such a type.

    The programs run: the plugin knows these types better, or does not let an inferred one be the reason of an error. A
    number variable may hold a scalar of NumPy, which is Any to the stubs.
    """
    return re.search(_OF_STUBS, message.text) is not None or _is_between_numbers(message.text)


def _is_between_numbers(text: str) -> bool:
    quoted = re.findall(r'"([^"]*)"', text)
    return len(quoted) > 1 and {quoted[-1], quoted[-2]} <= _NUMBERS
