"""Read the marks in mypy's messages: find the false positives among its errors, and replace the marker classes.

mypy prints the classes of `value_marks`. So its message tells whether stock mypy infers Any for the value. Such a value
fits wherever no dtype is declared. (tests/plugin/inferred/provenance)
"""

import re
from typing import Final

from promo_mypy.plugin import names
from promo_mypy.plugin.types import untyped_functions
from promo_mypy.plugin.types.printed_types import type_arguments, union_members

# Patterns are compiled at their first use.
_MARKER: Final = r"(?:promo_mypy\.rules\.value_marks\.)?\b(?:Inferred|ArrayOr)(?:[A-Z]\w+)\b"
#: A named tuple that PyTorch does not declare.
_TUPLES: Final = {
    name.rpartition(".")[2] for function, name in names.UNDECLARED_TUPLES.items() if function.startswith("torch.")
}
_MARK: Final = rf"(?:{_MARKER}|\b(?:{'|'.join(sorted(_TUPLES))})\b)"
#: A mark on a value, not on the dtype of an array.
_VALUE: Final = rf"(?<!dtype\[){_MARK}"
#: A value that is Any to stock mypy.
_WHOLE: Final = rf"(?:{_MARKER}(?:\[.*\])?|Any)"
#: A mark on a value, with its type arguments: a shape and a dtype.
_WHOLE_MARK: Final = rf"(?<!dtype\[){_MARKER}(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\])?"
#: The mark in place of a function that its library declares without a type.
_ANYTHING: Final = "InferredFloat64"
#: A part of a printed type that names a dtype.
_DTYPE: Final = (
    r"\b(?:weak_)?(?:u?int\d|float\d|complex\d|bfloat\d)|\b(?:floating|complexfloating|(?:un)?signedinteger|integer"
    r"|inexact|number|generic)\b|\bnumpy\.bool|\bbool_?\[|\b(?:Array|Tensor)\[(?!Any|DType)"
    r"|\bdtype\[(?!Any\]|int\]|float\]|complex\])"  # Python's numbers are not dtypes
)
#: The words before the type that is expected.
_EXPECTED: Final = (
    r"(?:expected(?: type)?|(?:variable|target|attribute|parameter|argument) has type|defined the type as)"
    r'(?: "[^"]*":)? "'
)
_QUOTED: Final = r'"([^"]*)"'

#: An error about the index of a value, with the type of the value.
_INDEXED: Final = r'Invalid index type "[^"]*" for "([^"]*)"'

_COMPREHENSION: Final = r"comprehension has incompatible type (?:List|Set)\[(.*)\]; expected (?:List|Set)\[(.*)\]$"

#: The classes of `np.int_` and of the int64 that it is.
_ANY_WIDTH: Final = "_32Bit | _64Bit"
_WIDTH: Final = "_64Bit"

#: An array of unknown dtype.
_UNKNOWN: Final = r"^ndarray\[.*dtype\[Any\]\]$"

_NUMBERS: Final = ("bool", "int", "float", "complex")
#: The types that accept a tuple. With any other expected type a tuple is an error, whatever its items are.
_OF_TUPLES: Final = (
    "tuple[", "object", "Sequence[", "Iterable[", "Collection[", "Container[", "Reversible[", "Hashable", "Any",
    "_NestedSequence[",
)  # fmt: skip
#: Those of them that declare the items.
_OF_ITEMS: Final = ("Sequence[", "Iterable[", "Collection[", "Reversible[")
#: Containers, most of them invariant in their items, and types that accept none of them.
_CONTAINERS: Final = ("list[", "dict[", "set[", "Iterator[")
_OTHERS: Final = (
    *_CONTAINERS, "tuple[", "frozenset[", "ndarray[", "matrix[", "Array[", "Tensor[", "Callable[", "type[",
    "SupportsFloat", "SupportsIndex", "SupportsInt", "SupportsComplex", "SupportsAbs[",
)  # fmt: skip
#: Classes that do not accept None.
_WITHOUT_NONE: Final = (
    "Array", "Tensor", "ndarray[", "tuple[", "list[", "dict[", "set[", "_Buffer", "_SupportsArray[", "_NestedSequence[",
)  # fmt: skip
#: A unary operator of what may be None.
_UNARY_OF_NONE: Final = r'^Unsupported operand type for (?:~|unary [-+]) \(".*\bNone\b'


def is_of_marks(message: str) -> bool:
    """Whether an error is about a value of inferred dtype where no dtype is declared, or about an inferred target."""
    if "**Any) -> Any" in message:
        message = re.sub(untyped_functions.PRINTED, f'"{_ANYTHING}"', message)
    if not names_mark(message):
        return False
    message = with_quotes(message)
    before, word, after = _split(message)
    if message.startswith("No overload variant"):
        return re.search(_VALUE, message) is not None
    if "is not indexable" in message:
        return False  # marker classes are indexable: the error is about another member of a union
    owner = re.match(_INDEXED, message)
    if owner is not None and all(re.match(_MARK, each) for each in union_members(owner[1])):
        return True  # stock mypy checks no index of Any
    if re.match(_UNARY_OF_NONE, message):
        return False
    if not word:  # an operation, or a missing attribute of one member of a union
        member = re.match(r'Item "([^"]*)" of ', message)
        return member is None or re.search(_MARK, member[1]) is not None
    expected = re.findall(_QUOTED, after)[-1]
    quoted = re.findall(_QUOTED, before)
    if re.search(_MARK, expected):
        return not quoted or _may_differ_in_dtype(quoted[-1], expected)
    given = [text for text in quoted if re.search(_MARK, text)]
    if any(without_marks(text) == expected or _may_be_other(text) for text in given):
        return True  # containers of arrays are invariant, so they accept only this type
    return bool(given) and not re.search(_DTYPE, expected) and all(_fits(text, expected) for text in given)


def names_mark(message: str) -> bool:
    """Whether a message names the type of a value that is Any to stock mypy, or that holds one."""
    return re.search(_MARK, message) is not None


def with_quotes(message: str) -> str:
    """The message about the items of a comprehension in the form of other messages."""
    return re.sub(_COMPREHENSION, r'has incompatible type "\1"; expected "\2"', message)


def is_same_but_for_marks(message: str) -> bool:
    """Whether an `assert_type` names the type of a value, apart from its marks."""
    if not names_mark(message):
        return False
    given, *expected = re.findall(_QUOTED, message)
    if expected == ["Any"]:
        return re.match(_MARK, given) is not None
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
    return bool(word) and re.search(_DTYPE, re.findall(_QUOTED, after)[-1]) is not None


def gives_marked(message: str) -> bool:
    """Whether an error is about a value of inferred dtype that does not fit the expected type."""
    before, word, _ = _split(message)
    quoted = re.findall(_QUOTED, before)
    return bool(word) and bool(quoted) and re.search(_MARK, quoted[-1]) is not None


def is_of_container(message: str) -> bool:
    """Whether an error is about a tuple or list where neither is declared, whatever its items are."""
    before, word, after = _split(message)
    quoted = re.findall(_QUOTED, before)
    if not word or not quoted or not quoted[-1].startswith(("tuple[", "list[")):
        return False
    return not any(each.startswith((*_OF_TUPLES, "list[")) for each in union_members(re.findall(_QUOTED, after)[-1]))


def gives_any(message: str) -> bool:
    """Whether an error is about a value that is Any to stock mypy, and does not fit the expected type."""
    before, word, _ = _split(message)
    given = re.findall(_QUOTED, before)[-1:] if word else []
    return bool(given) and all(re.fullmatch(_WHOLE, each) for each in union_members(given[-1]))


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
        return all(_may_differ_in_dtype(*pair) for pair in pairs if re.search(_MARK, pair[1]))
    classes = set(map(_class_of, wanted))
    is_other = any(_class_of(each) not in classes for each in union_members(given))
    return not is_other or any(re.match(_MARK, each) for each in wanted)


def _class_of(printed: str) -> tuple[str, int]:
    """The class of a printed type, and the length of a tuple."""
    name = printed.partition("[")[0]
    items = type_arguments(printed) if name == "tuple" and printed.endswith("]") else []
    return name, 0 if "..." in items else len(items)


def _may_be_other(given: str) -> bool:
    """Whether the value is a union of marked types with an array of unknown dtype."""
    members = union_members(given)
    others = [member for member in members if not re.search(_MARK, member)]
    known = [each for each in others if each != "Any"]
    return len(others) < len(members) and bool(known) and all(re.search(_UNKNOWN, each) for each in known)


def _fits(given: str, expected: str) -> bool:
    """Whether every member without a mark fits, as far as the printed types tell."""
    return all(_member_fits(member, expected) for member in union_members(given))


def _member_fits(given: str, expected: str) -> bool:
    if re.match(_MARK, given):
        return True
    wanted = union_members(expected)
    if given.startswith("tuple["):
        return any(_tuple_fits(given, each) for each in wanted)
    if given in _NUMBERS:
        wider = _NUMBERS[_NUMBERS.index(given) :]
        return any(each in wider or each not in (*_NUMBERS, "str", "bytes", "None") for each in wanted)
    if given.startswith(_CONTAINERS):
        return any(_container_fits(given, each) for each in wanted)
    if given == "None" and any(each.startswith(_WITHOUT_NONE) for each in wanted):
        return "None" in wanted
    if given in ("None", "str", "bytes") or re.match(_DTYPE, given):
        number = {"float64": ("float", "complex"), "complex128": ("complex",)}.get(given, ())
        others = {*_NUMBERS, "str", "bytes", "None"}.difference(number)
        return any(each == given or each not in others for each in wanted)
    return not given.startswith("ndarray[") or any(_array_fits(given, each) for each in wanted)


def _array_fits(given: str, expected: str) -> bool:
    """Whether an array of inferred dtype fits where an array of no dtype, such as `dtype[int]`, is declared."""
    if not expected.startswith("ndarray[") or not re.search(rf"dtype\[{_MARK}", given):
        return False  # an array without a mark
    shapes = (type_arguments(given)[0], type_arguments(expected)[0])
    return shapes[0] == shapes[1] or any("Any" in shape for shape in shapes)


def _container_fits(given: str, expected: str) -> bool:
    """Whether a container fits: those of Python are no number, text or array, and invariant in items that are known."""
    is_other = expected in (*_NUMBERS, "str", "bytes", "None") or expected.startswith(_OTHERS)
    is_open = "Any" in expected or re.search(rf"\bAny\b|{_MARK}|{_DTYPE}", given) is not None
    return given == expected or not is_other or (is_open and expected.startswith(_class_of(given)[0]))


def _tuple_fits(given: str, expected: str) -> bool:
    if not expected.startswith(_OF_TUPLES):
        return False
    items = type_arguments(given)
    if expected.startswith(_OF_ITEMS):
        return items[-1] == "..." or all(_fits(item, type_arguments(expected)[0]) for item in items)
    if not expected.startswith("tuple["):
        return True
    wanted = type_arguments(expected)
    if len(wanted) == 2 and wanted[1] == "...":
        wanted = [wanted[0] for _ in items]
    return len(items) == len(wanted) and all(map(_fits, items, wanted))


_WIDTHS: Final = r"(Int|UInt|Float|Complex)(\d+)"
_CATEGORIES: Final = {
    "Bool": ("numpy.bool", "[builtins.bool]"),
    "Signed": ("signedinteger", "[Any]"),
    "Unsigned": ("unsignedinteger", "[Any]"),
    "Floating": ("floating", "[Any]"),
    "Complex": ("complexfloating", "[Any, Any]"),
    "Integer": ("integer", "[Any]"),
    "Inexact": ("inexact", "[Any]"),
    "Number": ("number", "[Any]"),
}
_CLASSES: Final = {"Int": "signedinteger", "UInt": "unsignedinteger", "Float": "floating", "Complex": "complexfloating"}


def without_marks(message: str) -> str:
    """A message with NumPy's classes in place of the marker classes."""
    if "ArrayOr" in message:
        message = re.sub(r"(promo_mypy\.rules\.value_marks\.)?\bArrayOr[A-Z]\w+\b", _array, message)
    if "Inferred" in message:
        message = re.sub(r"(promo_mypy\.rules\.value_marks\.)?\bInferred([A-Z]\w+)\b", _scalar, message)
    return message


def _array(mark: re.Match[str]) -> str:
    return names.NUMPY_ARRAY if mark[1] else "ndarray"


def _scalar(mark: re.Match[str]) -> str:
    name = mark[2]
    if name in _CATEGORIES:
        cls, arguments = _CATEGORIES[name]
        return f"numpy.{cls}{arguments}" if mark[1] and "." not in cls else f"{cls}{arguments}"
    if name == "BFloat16":
        return f"{names.ML_DTYPES}.bfloat16" if mark[1] else "bfloat16"
    if name in ("Float64", "Complex128"):
        return f"numpy.{name.lower()}" if mark[1] else name.lower()
    width = re.fullmatch(_WIDTHS, name)
    if width is None:
        return mark[0]
    cls, bits = _CLASSES[width[1]], int(width[2])
    part = f"_{bits // 2 if width[1] == 'Complex' else bits}Bit"
    part = f"{names.NUMPY_BITS}.{part}" if mark[1] else part
    arguments = f"{part}, {part}" if width[1] == "Complex" else part
    return f"numpy.{cls}[{arguments}]" if mark[1] else f"{cls}[{arguments}]"
