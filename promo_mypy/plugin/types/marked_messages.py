"""Read the marks in mypy's messages, and find the false positives among its errors.

mypy prints the classes of `value_marks`. So its message tells whether stock mypy infers Any for the value. Such a value
fits wherever no dtype is declared. (tests/plugin/inferred/provenance)
"""

import re
from typing import Final

from promo_mypy.plugin.types import untyped_functions
from promo_mypy.plugin.types.printed_fits import fits
from promo_mypy.plugin.types.printed_marks import DTYPE, MARK, MARKER, names_mark, without_marks
from promo_mypy.plugin.types.printed_types import (
    ACCEPTING,
    ARGUMENTS,
    class_of,
    may_accept,
    type_arguments,
    union_members,
)

# Patterns are compiled at their first use.
#: A mark on a value, not on the dtype of an array.
_VALUE: Final = rf"(?<!dtype\[){MARK}"
#: A value that is Any to stock mypy.
_WHOLE: Final = rf"(?:{MARKER}(?:\[.*\])?|Any)"
#: A mark on a value, with its type arguments: a shape and a dtype.
_WHOLE_MARK: Final = rf"(?<!dtype\[){MARKER}(?:{ARGUMENTS})?"
#: The mark in place of a function that its library declares without a type.
_ANYTHING: Final = "InferredFloat64"
#: The words before the type that is expected.
_EXPECTED: Final = (
    r"(?:expected(?: type)?|(?:variable|target|attribute|parameter|argument) has type|defined the type as"
    r'|TypedDict item "[^"]*" has type)'
    r'(?: "[^"]*":)? "'
)
_QUOTED: Final = r'"([^"]*)"'

#: An error about the index of a value, with the type of the value.
_INDEXED: Final = r'Invalid index type "[^"]*" for "([^"]*)"'

#: An error about an entry of a dict, with the given and the expected type of its key.
_ENTRY: Final = r'Dict entry \d+ has incompatible type "([^"]*)": "[^"]*"; expected "([^"]*)": '

_COMPREHENSION: Final = r"comprehension has incompatible type (?:List|Set)\[(.*)\]; expected (?:List|Set)\[(.*)\]$"

#: mypy prints this name without quotes, as it does for modules.
_MODULE: Final = " Module(?=[,)]|$)"

#: The classes of `np.int_` and of the int64 that it is.
_ANY_WIDTH: Final = "_32Bit | _64Bit"
_WIDTH: Final = "_64Bit"

#: A function that is called with a value that is Any to stock mypy.
_TAKES_MARK: Final = rf"^Callable\[\[(?:[^\]]*, )?{MARK}"

#: An array of unknown dtype.
_UNKNOWN: Final = r"^ndarray\[.*dtype\[Any\]\]$"

#: An array or scalar of unknown dtype.
_UNKNOWN_MARK: Final = r"^(?:ArrayOrScalar\[.*dtype\[Any\]\]|Any)$"

#: How errors about the operands of an operator begin; those about an index, and about a call, have other names.
_ON_OPERANDS: Final = (
    r"Unsupported (?:left |right )?operand type|Non-overlapping "
    r'|No overload variant of "__(?!(?:[gs]et|del)item|call)\w+__" of '
)
#: A protocol for an argument of a built-in.
_OF_BUILTINS: Final = r"_?Supports(?!Array\b)\w+\["
#: An operator that no container has for another one.
_OF_NUMBERS: Final = r" for (?:\*\*?|//?|%|@|<<|>>|divmod) \("
#: A unary operator of what may be None.
_UNARY_OF_NONE: Final = r'^Unsupported operand type for (?:~|unary [-+]) \(".*\bNone\b'


def is_of_marks(message: str) -> bool:
    """Whether an error is about a value of inferred dtype where no dtype is declared, or about an inferred target."""
    if "**Any) -> Any" in message:
        message = re.sub(untyped_functions.PRINTED, f'"{_ANYTHING}"', message)
    if not names_mark(message):
        return False
    message = with_quotes(message)
    is_of_any = _by_form(message)
    return _is_of_value(message) if is_of_any is None else is_of_any


def _by_form(message: str) -> bool | None:
    """The answer for errors about operands, overloads and indexes; None for others."""
    entry = re.match(_ENTRY, message)
    if re.match(_UNARY_OF_NONE, message) or (entry is not None and not fits(entry[1], entry[2])):
        return False
    is_of_overloads = message.startswith("No overload variant")
    if is_of_overloads and re.search(_VALUE, message) is None:
        return False
    if re.match(_ON_OPERANDS, message):
        return _is_on_any(message)
    if is_of_overloads:
        return True
    if "is not indexable" in message:
        return False  # marker classes are indexable: the error is about another member of a union
    owner = re.match(_INDEXED, message)
    if owner is not None and all(re.match(MARK, each) for each in union_members(owner[1])):
        return True  # stock mypy checks no index of Any
    return None


def _is_of_value(message: str) -> bool:
    """The answer for errors about a value that does not fit its place."""
    before, word, after = _split(message)
    if not word:  # such as a missing attribute of one member of a union
        owner = re.match(r'Item "([^"]*)" of |"([^"]*)" not callable', message)
        return owner is None or any(re.match(MARK, each) for each in union_members(owner[1] or owner[2]))
    expected = re.findall(_QUOTED, after)[-1]
    quoted = re.findall(_QUOTED, before)
    if re.search(MARK, expected):
        if expected.startswith("Callable[[") and quoted and quoted[-1].startswith(("Callable[[", "def ")):
            return _takes_marks(quoted[-1], expected)
        return not quoted or _may_differ_in_dtype(quoted[-1], expected)
    given = [text for text in quoted if re.search(MARK, text)]
    if given and all(re.search(_UNKNOWN_MARK, each) for text in given for each in union_members(text)):
        return True  # a scalar of any dtype
    if any(without_marks(text) == expected or _may_be_other(text) for text in given):
        return True  # containers of arrays are invariant, so they accept only this type
    return bool(given) and not _names_dtype(expected) and all(fits(text, expected) for text in given)


def _takes_marks(given: str, expected: str) -> bool:
    """Whether a function takes what it is called with, apart from values of Any. mypy prints some as a definition."""
    if given.startswith("def "):
        return re.search(_TAKES_MARK, expected) is not None
    values, parameters = (type_arguments(type_arguments(each)[0]) for each in (expected, given))
    return len(values) == len(parameters) and all(map(fits, values, parameters))


def _is_on_any(message: str) -> bool:
    """Whether an operand is Any to stock mypy.

    A container of such values is known: it fits only another one of its kind, and an array of NumPy.
    """
    operands = re.findall(_QUOTED, message)
    marked = list(filter(names_mark, operands))
    values = (member for text in marked for member in union_members(text) if names_mark(member))
    if any(class_of(each) not in ACCEPTING for each in values):
        return True
    classes = list(map(class_of, operands))
    if "ndarray" in classes:
        return True
    return re.search(_OF_NUMBERS, message) is None and any(classes.count(class_of(text)) > 1 for text in marked)


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


def is_of_one_integer(message: str) -> bool:
    """Whether a container of int64 arrays is rejected where one of `np.int_` is declared, which is int64."""
    before, word, after = _split(message)
    quoted = re.findall(_QUOTED, before)
    if not word or not quoted:
        return False
    given, expected = (text.replace(_ANY_WIDTH, _WIDTH) for text in (quoted[-1], re.findall(_QUOTED, after)[-1]))
    return given == expected and _WIDTH in given


def wants_dtype(message: str) -> bool:
    """Whether an error says that a place has a declared dtype."""
    _, word, after = _split(message)
    return bool(word) and _names_dtype(re.findall(_QUOTED, after)[-1])


def _names_dtype(expected: str) -> bool:
    """Whether a type names a dtype. The protocols of the built-ins have that of another argument: `pow(x, y)`."""
    return re.search(DTYPE, expected) is not None and re.match(_OF_BUILTINS, expected) is None


def gives_marked(message: str) -> bool:
    """Whether an error is about a value of inferred dtype that does not fit the expected type."""
    types = given_and_expected(message)
    return types is not None and names_mark(types[0])


def is_of_container(message: str) -> bool:
    """Whether an error is about a tuple or list where neither is declared, whatever its items are."""
    types = given_and_expected(message)
    if types is None:
        return False
    name = class_of(types[0])
    return name in ("tuple", "list") and not any(may_accept(each, name) for each in union_members(types[1]))


def given_and_expected(message: str) -> tuple[str, str] | None:
    """The given type and the expected one; None for an error about something else."""
    before, word, after = _split(message)
    quoted = re.findall(_QUOTED, before)
    return (quoted[-1], re.findall(_QUOTED, after)[-1]) if word and quoted else None


def gives_any(message: str) -> bool:
    """Whether an error is about a value that is Any to stock mypy, and does not fit the expected type."""
    types = given_and_expected(message)
    return types is not None and all(re.fullmatch(_WHOLE, each) for each in union_members(types[0]))


def gives_function_of_any(message: str) -> bool:
    """Whether an error is about such a value, or about a function that returns one."""
    before, word, after = _split(message)
    given = re.findall(_QUOTED, before)[-1:] if word else []
    results = [type_arguments(each)[-1] if each.startswith("Callable[") else each for each in given]
    return gives_any(f'(got "{results[0]}"; {after}') if results else False


def may_be_of_result(message: str) -> bool:
    """Whether an error is about the result of a function, or about a function with the expected parameters."""
    before, _, after = _split(message)
    given, expected = (re.findall(_QUOTED, each) for each in (before, after))
    pairs = [*given[-1:], *expected[:1]]
    if len(pairs) < 2:  # an overloaded function has no quotes
        return False
    if not all(each.startswith("Callable[") for each in pairs):
        return True
    one, other = (type_arguments(each)[0] for each in pairs)
    return one == other


def _split(message: str) -> tuple[str, str, str]:
    """A message before the expected type, the words that announce it, and the type in its quotes."""
    found = list(re.finditer(_EXPECTED, message))
    if not found:
        return message, "", ""
    last = found[-1]
    return message[: last.start()], last[0], message[last.start() :]


def _may_differ_in_dtype(given: str, expected: str) -> bool:
    """Whether only the dtype may keep a value out of an inferred target. A list never fits where an array is."""
    wanted = union_members(expected)
    if _class_of(given) == _class_of(expected) and given.startswith("tuple["):
        pairs = zip(type_arguments(given), type_arguments(expected), strict=True)
        return all(_may_differ_in_dtype(*pair) if re.search(MARK, pair[1]) else fits(*pair) for pair in pairs)
    classes = set(map(_class_of, wanted))
    is_other = any(_class_of(each) not in classes for each in union_members(given))
    return not is_other or any(re.match(MARK, each) for each in wanted)


def _class_of(printed: str) -> tuple[str, int]:
    """The class of a printed type, and the length of a tuple."""
    name = printed.partition("[")[0]
    items = type_arguments(printed) if name == "tuple" and printed.endswith("]") else []
    return name, 0 if "..." in items else len(items)


def _may_be_other(given: str) -> bool:
    """Whether the value is a union of marked types with an array of unknown dtype."""
    members = union_members(given)
    others = [member for member in members if not re.search(MARK, member)]
    known = [each for each in others if each != "Any"]
    return len(others) < len(members) and bool(known) and all(re.search(_UNKNOWN, each) for each in known)
