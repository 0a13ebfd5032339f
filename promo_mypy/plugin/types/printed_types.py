"""Take apart the types that mypy prints in its messages."""

from collections.abc import Sequence
from typing import Final

#: A pattern for the arguments of a printed type: a type in them may have arguments, too.
ARGUMENTS: Final = r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]"

_ITERABLES: Final = ("Collection", "Container", "Iterable")
_SEQUENCES: Final = ("Sequence", "Reversible", "_NestedSequence", *_ITERABLES)
#: A container, and the classes that accept it.
ACCEPTING: Final = {
    "list": ("list", "MutableSequence", *_SEQUENCES),
    "tuple": ("tuple", *_SEQUENCES),
    "set": ("set", "MutableSet", "AbstractSet", *_ITERABLES),
    "frozenset": ("frozenset", "AbstractSet", *_ITERABLES),
    "dict": ("dict", "MutableMapping", "Mapping", *_ITERABLES),
    "Iterator": ("Iterator", "Iterable"),
    **{name: (name, "Iterator", "Iterable") for name in ("enumerate", "filter", "map", "reversed", "zip")},
    "dtype": ("dtype",),
}
#: All of these classes.
CONTAINERS: Final = frozenset(name for accepting in ACCEPTING.values() for name in accepting)
_ANYTHING: Final = ("Any", "object", "Hashable")


def class_of(text: str) -> str:
    """The class of a printed type, without its arguments."""
    return text.partition("[")[0]


def may_accept(expected: str, name: str) -> bool:
    """Whether a printed type may accept the container of that name, whatever its items are."""
    return expected in _ANYTHING or class_of(expected) in ACCEPTING[name]


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
