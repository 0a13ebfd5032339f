"""Read the marks in what mypy prints about `assert_type`: the classes of `value_marks`."""

import re
from typing import Final

from promo_mypy.plugin.messages.printed_marks import MARK, MARKER, names_mark, without_marks
from promo_mypy.plugin.messages.printed_types import ARGUMENTS

#: A mark on a value, with its type arguments: a shape and a dtype.
_WHOLE_MARK: Final = rf"(?<!dtype\[){MARKER}(?:{ARGUMENTS})?"
_QUOTED: Final = r'"([^"]*)"'

#: The classes of `np.int_` and of the int64 that it is.
_ANY_WIDTH: Final = "_32Bit | _64Bit"
_WIDTH: Final = "_64Bit"


def is_same_but_for_marks(message: str) -> bool:
    """Whether an `assert_type` names the type of a value, apart from its marks."""
    if not names_mark(message):
        return False
    given, *expected = re.findall(_QUOTED, message)
    if expected == ["Any"]:
        return re.match(MARK, given) is not None
    if expected == [re.sub(_WHOLE_MARK, "Any", given)]:
        return True
    types = {without_marks(text).replace(_ANY_WIDTH, _WIDTH) for text in (given, *expected)}
    return len(types) == 1
