"""Errors of one run only that are right."""

import re
from typing import Final

from tests.mypy_runs import Message

_GIVEN: Final = r'(?:incompatible type|\(got|expression has type|actual type) "([^"]*)"'


def is_of_several(message: Message) -> bool:
    """Whether the value has one of several types: a branch that was not executed gives it another dtype."""
    given = re.search(_GIVEN, message.text)
    return given is not None and (" | " in given[1].replace("_32Bit | _64Bit", "") or "generic[" in given[1])


def is_fair(message: Message) -> bool:
    """Whether an error of stock mypy is a mistake of the stubs about dtypes, so that the plugin takes it away."""
    return bool(message) and False
