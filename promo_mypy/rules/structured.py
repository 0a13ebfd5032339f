"""Read the fields of a structured dtype from its text: `"f4, (2,3)i8"`. Source: running NumPy 2.4.

tests/rules/test_structured.py executes every form.
"""

import re
from collections.abc import Sequence
from typing import Final

from promo_mypy.rules.dtype_names import time_class
from promo_mypy.rules.records import record

#: What separates fields: a comma outside the parentheses of a shape and the brackets of a unit.
_COMMA: Final = re.compile(r",(?![^()\[\]]*[)\]])")
#: A field: a shape or a length before a dtype.
_FIELD: Final = re.compile(r"(?P<shape>\d+|\([\d\s,]*\))?\s*(?P<dtype>[<>=|]?[A-Za-z?]\w*(?:\[\w+\])?)")
#: Texts of fixed or any length.
_TEXT: Final = re.compile(r"[<>=|]?(?P<code>[US])\d*|(?P<name>str|bytes)")
_TEXTS: Final = {"U": "str_", "S": "bytes_", "str": "str_", "bytes": "bytes_"}


@record
class TextField:
    """A field: its name, the text of its dtype, and whether each item is an array."""

    name: str
    dtype: str
    has_shape: bool = False


def fields_of(text: str) -> Sequence[TextField]:
    """The fields that a text names; empty if it is the text of another dtype."""
    parts = [part.strip() for part in _COMMA.split(text)]
    if len(parts) < 2:
        return ()
    found = [_FIELD.fullmatch(part) for part in parts]
    known = [
        TextField(f"f{place}", match["dtype"], match["shape"] is not None)
        for place, match in enumerate(found)
        if match is not None
    ]
    return known if len(known) == len(parts) else ()


def scalar_class(text: str) -> str | None:
    """NumPy's class of the values of a dtype without rules of promotion: times, durations and texts."""
    match = _TEXT.fullmatch(text)
    return time_class(text) if match is None else _TEXTS[match["code"] or match["name"]]
