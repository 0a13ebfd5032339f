"""Take apart the types that mypy prints in its messages."""

from collections.abc import Sequence
from typing import Final

#: A pattern for the arguments of a printed type: a type in them may have arguments, too.
ARGUMENTS: Final = r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]"


def union_members(text: str) -> Sequence[str]:
    """The members of a printed union: `int` and `list[str]` of `int | list[str]`."""
    return split(text, " | ")


def type_arguments(text: str) -> Sequence[str]:
    """The arguments of a printed generic type: `int` and `str` of `tuple[int, str]`."""
    return split(text[text.index("[") + 1 : -1], ", ")


def split(text: str, separator: str) -> Sequence[str]:
    """A text, split at the separators that stand outside all brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "[({") - (character in "])}")
        if depth == 0 and text.startswith(separator, position):
            parts.append(text[start:position])
            start = position + len(separator)
    return [*parts, text[start:]]
