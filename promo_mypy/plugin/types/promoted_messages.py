"""mypy's messages about types with `Promote[A, B]`, in the words of who wrote it.

The plugin puts Any beside a promotion where every dtype has to do; nobody wrote that. And a function that promises
`Array[Promote[A, B]]` may well return an `Array[A]`: whether A is what both promote to is not known, so nothing is
reported, while mypy holds them for two types.
"""

import re
from typing import Final

_OPEN: Final = r"\bAny \| ((?:[\w.]+\.)?Promote\[)"
_PROMOTION: Final = r"(?:[\w.]+\.)?Promote\[([^\[\]]*)\]"
_RETURNED: Final = r'Incompatible return value type \(got "(.*)", expected "(.*)"\)'


def as_written(message: str) -> str:
    """The message without the Any beside a promotion."""
    return re.sub(_OPEN, r"\1", message)


def returns_an_operand(message: str) -> bool:
    """Whether mypy complains that a function returns an array of one operand's dtype for a promotion."""
    match = re.fullmatch(_RETURNED, message)
    promotion = re.search(_PROMOTION, match[2]) if match is not None else None
    if match is None or promotion is None:
        return False
    expected = [match[2], *(match[2].replace(promotion[0], operand) for operand in promotion[1].split(", "))]
    allowed = {item for typ in expected for item in _items(typ)}
    return allowed.issuperset(_items(match[1]))


def _items(text: str) -> list[str]:
    """The members of a union as mypy prints it."""
    items, depth = [""], 0
    for word in text.split(" | "):
        items[-1] += f" | {word}" if depth else word
        depth += word.count("[") - word.count("]")
        if not depth:
            items.append("")
    return items[:-1]
