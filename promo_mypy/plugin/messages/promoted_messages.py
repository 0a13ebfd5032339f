"""Rewrite mypy's messages about types with `Promote[A, B]` to the types in the source.

The plugin adds Any to a promotion where every dtype must be accepted. A message should not show it. And a function that
returns `Array[Promote[A, B]]` may return an `Array[A]`: A may be what both promote to, so this is not reported, while
to mypy the types differ.
"""

import re
from typing import Final

from promo_mypy.plugin.messages.printed_types import union_members

_OPEN: Final = r"\bAny \| ((?:[\w.]+\.)?Promote\[)"
_PROMOTION: Final = r"(?:[\w.]+\.)?Promote\[([^\[\]]*)\]"
_RETURNED: Final = r'Incompatible return value type \(got "(.*)", expected "(.*)"\)'


def as_written(message: str) -> str:
    """The message without the Any that was added to a promotion."""
    return re.sub(_OPEN, r"\1", message)


def returns_an_operand(message: str) -> bool:
    """Whether mypy reports that a function returns an array of one operand's dtype for a promotion."""
    match = re.fullmatch(_RETURNED, message)
    promotion = re.search(_PROMOTION, match[2]) if match is not None else None
    if match is None or promotion is None:
        return False
    expected = [match[2], *(match[2].replace(promotion[0], operand) for operand in promotion[1].split(", "))]
    allowed = {member for typ in expected for member in union_members(typ)}
    return allowed.issuperset(union_members(match[1]))
