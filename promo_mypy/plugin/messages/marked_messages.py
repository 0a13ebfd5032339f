"""Read the marks in mypy's messages, and find the false positives among its errors.

mypy prints the classes of `value_marks`. So its message tells whether stock mypy infers Any for the value. Such a value
fits wherever no dtype is declared. (tests/plugin/inferred/provenance)
"""

import re
from typing import Final

from promo_mypy.plugin.messages import join_markers
from promo_mypy.plugin.messages.printed_marks import DTYPE, MARK, MARKER, names_mark, without_marks
from promo_mypy.plugin.messages.printed_types import (
    ARGUMENTS,
    union_members,
)

#: A mark on a value, with its type arguments: a shape and a dtype.
_WHOLE_MARK: Final = rf"(?<!dtype\[){MARKER}(?:{ARGUMENTS})?"
#: The words before the type that is expected.
_EXPECTED: Final = (
    r"(?:expected(?: type)?|(?:variable|target|attribute|parameter|argument) has type|defined the type as"
    r'|TypedDict item "[^"]*" has type)'
    r'(?: "[^"]*":)? "'
)
_QUOTED: Final = r'"([^"]*)"'


_COMPREHENSION: Final = r"comprehension has incompatible type (?:List|Set)\[(.*)\]; expected (?:List|Set)\[(.*)\]$"

#: mypy prints this name without quotes, as it does for modules.
_MODULE: Final = " Module(?=[,)]|$)"

#: The classes of `np.int_` and of the int64 that it is.
_ANY_WIDTH: Final = "_32Bit | _64Bit"
_WIDTH: Final = "_64Bit"

#: A dtype that a union names twice, once as a weak one.
_SAID_TWICE: Final = r"\b(\w+)(?: \| \1\b)+"


#: An array of unknown dtype.
_UNKNOWN: Final = r"^ndarray\[.*dtype\[Any\]\]$"

#: The shape of an array.
_SHAPE: Final = r"\bndarray\[(?:tuple\[[^\[\]]*\]|Any), "

#: An array or scalar of unknown dtype.
_UNKNOWN_MARK: Final = r"^(?:ArrayOrScalar\[.*dtype\[Any\]\]|Any)$"

#: A protocol for an argument of a built-in.
_OF_BUILTINS: Final = r"_?Supports(?!Array\b)\w+\["


def with_quotes(message: str) -> str:
    """The message about the items of a comprehension, or a class `Module`, in the form of other messages."""
    message = re.sub(_MODULE, ' "Module"', message)
    return re.sub(_COMPREHENSION, r'has incompatible type "\1"; expected "\2"', message)


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


def is_of_one_dtype(message: str) -> bool:
    """Whether a container of int64 arrays is rejected where one of `np.int_` is declared, or of weak ones for strong.

    A weak array is one of its dtype, and mypy takes it outside of containers.
    """
    before, word, after = _split(without_marks(message))
    wanted = re.findall(_QUOTED, after)  # of an entry of a dict a key and a value
    quoted = re.findall(_QUOTED, before)[-len(wanted) :]
    if not word or not quoted:
        return False
    given, expected = ([text.replace(_ANY_WIDTH, _WIDTH) for text in types] for types in (quoted, wanted))
    strong = [re.sub(_SAID_TWICE, r"\1", join_markers.without(text).replace("weak_", "")) for text in given]
    return (given == expected and _WIDTH in given[-1]) or (strong == expected != given)


def wants_dtype(message: str) -> bool:
    """Whether an error says that a place has a declared dtype."""
    _, word, after = _split(message)
    return bool(word) and _names_dtype(re.findall(_QUOTED, after)[-1])


def _names_dtype(expected: str) -> bool:
    """Whether a type names a dtype. The protocols of the built-ins have that of another argument: `pow(x, y)`."""
    return re.search(DTYPE, expected) is not None and re.match(_OF_BUILTINS, expected) is None


def given_and_expected(message: str) -> tuple[str, str] | None:
    """The given type and the expected one; None for an error about something else."""
    before, word, after = _split(message)
    quoted = re.findall(_QUOTED, before)
    return (quoted[-1], re.findall(_QUOTED, after)[-1]) if word and quoted else None


def _split(message: str) -> tuple[str, str, str]:
    """A message before the expected type, the words that announce it, and the type in its quotes."""
    found = list(re.finditer(_EXPECTED, message))
    if not found:
        return message, "", ""
    last = found[-1]
    return message[: last.start()], last[0], message[last.start() :]


def _may_be_other(given: str) -> bool:
    """Whether the value is a union of marked types with an array of unknown dtype."""
    members = union_members(given)
    others = [member for member in members if not re.search(MARK, member)]
    known = [each for each in others if each != "Any"]
    return len(others) < len(members) and bool(known) and all(re.search(_UNKNOWN, each) for each in known)


def may_fit(given: str, expected: str) -> bool:
    """Whether a value may have the expected type: its dtype is unknown, or only its marks or shapes differ."""
    members = union_members(given)
    if all(re.search(_UNKNOWN_MARK, each) for each in members) or any(re.search(_UNKNOWN, each) for each in members):
        return True
    wanted = map(_without_shapes, union_members(expected))
    return _may_be_other(given) or _without_shapes(without_marks(given)) in wanted


def _without_shapes(text: str) -> str:
    """A printed type without the shapes of its arrays, which may be known to the plugin alone."""
    return re.sub(_SHAPE, "ndarray[", text)
