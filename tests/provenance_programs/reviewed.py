"""Errors of one run only that are right."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from itertools import chain
from typing import Final

from tests.mypy_runs import Message
from tests.provenance_programs.printed_classes import is_about_arrays

#: What mypy joins arrays of several dtypes to has no operators, and fits nothing. To the stubs, functions of NumPy take
#: fewer dtypes than they do, and a scalar has no dimensions, so that tests of them are decided.
_OF_STUBS: Final = (
    r'_ArrayOrScalarCommon|_RealMixin|"object"|_UFunc|type parameter|Need type annotation'
    r"|left operand type: .Literal\[0\]|^Invalid self argument .ndarray\["
    r'|^No overload variant of "astype" matches argument types "(?:complexfloating|floating|(?:un)?signedinteger)\['
    r'|incompatible type "[^"]*\b(?:ndarray|bfloat16|floating)\b[^"]*"; expected "(?:[^"]* \| )?_SupportsArray\['
    r'|incompatible type "ndarray\[[^"]*"; expected "SupportsAbs\[(?:ndarray|floating|complexfloating)\b'
)
#: To the stubs a float64 is any `floating`, and that is no float.
_OF_WIDTHS: Final = (
    r'(?:\(got|type) "floating\[Any\](?: \| complex128)?"[;,] .*"(?:float|complex)"\)?$'
    r'|(?:\(got|type) "complexfloating\[Any, Any\]"[;,] .*"complex"\)?$'
)
_DELETED: Final = re.compile(r'Trying to read deleted variable "(\w+)"')
#: The item of a tensor is an int or a float to the stubs.
_OF_TENSORS: Final = r'(?:incompatible type|\(got) "int \| float"[;,] expected "(?:int|bool)"\)?$'
#: The sum of arrays is declared as 0 for no items.
_OF_NO_ITEMS: Final = r'"[^"]*\[[^"]*\] \| Literal\[0\]"'
#: The sum of arrays, which typeshed declares for bools first.
_OF_SUMS: Final = r'^List item \d has incompatible type .*; expected "(?:builtins\.)?bool"$'
_ARRAY_OR_SCALAR: Final = (
    r"(?:ndarray|(?:complex)?floating|(?:un)?signedinteger|numpy\.bool|float64|complex128|bfloat16)\b(?:\[[^\"]*)?"
)
_NUMBER: Final = r"(?:int|float|complex|(?:builtins\.)?bool)"
#: True errors that are lost today, each kind with its cause. They are counted, and are no failures.
_KNOWN_LIMITS: Final = (
    # An array or scalar where a number is declared or was before: the plugin infers Any for a variable that several
    # branches or modules bind, and for an item of a container.
    rf'"(?:(?:Any|float64) \| )?{_ARRAY_OR_SCALAR}"[;,] .*"{_NUMBER}(?: \| None)?"\)?$',
    rf'"{_NUMBER}"[;,] .*"{_ARRAY_OR_SCALAR}(?: \| {_NUMBER}| \| list\[float\])?"\)?$',
    # The variable or attribute that is first a number, and has then got a value of Any: its value is Any.
    rf'"{_NUMBER}"[;,] .*"(?:{_NUMBER}|str)(?: \| None)?"\)?$',
    # A tuple of NumPy's functions, whose items are Any with the plugin, and an array or scalar in its place.
    rf'"(?:tuple\[[^"]*|{_ARRAY_OR_SCALAR})"[;,] .*"(?:tuple\[[^"]*|\w+Result(?:\[Any\])?)"\)?$',
    r'"tuple\[[^"]*"[;,] .*"(?:ndarray\[[^"]*|float)"\)?$',
    # What may be None where a container first had an array, and a function of numbers where one of arrays was.
    r'"(?:int \| Any|Any \| None)"[;,] .*"ndarray\[[^"]*"\)?$',
    r'"Callable\[[^"]*"[;,] .*"Callable\[[^"]*ndarray\[[^"]*"\)?$',
    # An array of NumPy where one of another library is declared, or was before, and the other way.
    rf'"{_ARRAY_OR_SCALAR}"[;,] .*"(?:Array|Tensor)"\)?$|"(?:Array|Tensor)"[;,] .*"{_ARRAY_OR_SCALAR}"\)?$',
    # An array or scalar where an object of a class of the program was.
    rf'"{_ARRAY_OR_SCALAR}", variable has type "b\d+"\)$',
    # An item of a list of Any beside None: stock mypy knows that it is a number.
    r'^No overload variant of "__\w+__" of "\w+" matches argument type "None"$',
    r'^No overload variant of "__setitem__" of "list" matches argument types "int", "\w+\[',
    # An item of a list that has None and an array: the items are Any.
    r'^Unsupported operand types for \S+ \("None" and "(?:int|float|complex)"\)$',
    # A function of NumPy, and a method, that gets a number which may be a value of Any.
    r'^No overload variant of "astype" matches argument types "int"',
)
#: Of an array and a number only the dtype may be wrong: the stubs reject those of ml_dtypes. A bool of NumPy is printed
#: without its module.
_OF_OVERLOADS: Final = (
    r'^No overload variant of "__\w+__" of "ndarray" matches argument type "(?:int|float|complex|bool)"$'
    r'|^No overload variant of .*"bool\[(?:Any|builtins\.bool)\]"'
    r'|^No overload variant of "__\w+__" of "bool" matches argument type "(?:Array|Tensor)"'
)
#: What the stubs take for a scalar may be an array, with a shape that has items.
_OF_SHAPES: Final = ("Tuple index out of range", ".shape[")
#: The stubs take this for False if they take the array for a scalar, and mypy does not check what depends on it.
_NEVER: Final = re.compile(r"\bif len\(\w+\.shape\) > 0")
#: The stubs take `1 == x` for a bool. After such an error a deleted variable stays deleted.
_OF_COMPARISONS: Final = (
    r'^"bool" has no attribute|^Value of type "bool" is not indexable|^Trying to read deleted variable'
    r'|(?:defined the type as|target has type) "(?:bool|Callable\[\[\], bool\])"'
    r'|"bool", (?:variable has type|base class "\w+" defined the type as) "ndarray\['
    r'|"ndarray\[[^"]*", variable has type "bool"|"tuple\[Any, bool\]", variable has type "tuple\[Any, ndarray'
)
#: The stubs of JAX declare three results of `qr`.
_OF_RESULTS: Final = ("Too many values to unpack", "qr(")
#: A number variable that holds an array or scalar, which is Any to the stubs, has the attributes of one. So has a
#: variable that gets an array after `1 == x`, which the stubs take for a bool. A sum is declared as 0 if there are no
#: items.
_OF_A_NUMBER: Final = (
    r'^(?:Value of type )?"(?:int|float|complex)" (?:has no attribute|is not indexable)'
    r'|^Unsupported target for indexed assignment \("(?:int|float|complex)"\)'
    r'|incompatible type "(?:int|float|complex)"; expected "_SupportsArray\['
    r'|^Item "(?:bool|int|float|complex)" of "bool \| (?:int|float|complex)" has no attribute'
    r'|^(?:Value of type|Item "int" of) "Any \| Literal\[0\]" (?:is not indexable|has no attribute)'
)
_NUMBERS: Final = frozenset({"int", "float", "complex", "bool", "None"})
#: A union, and the join of several dtypes.
_CATEGORY: Final = r"\[(?:Shaped|Num|Real|Inexact|Float|Complex|Integer|SignedInteger|UnsignedInteger|Int|UInt)\]"
_SEVERAL: Final = rf" \| |\b(?:generic|number|inexact|integer)\[|{_CATEGORY}"
_GIVEN: Final = r'(?:incompatible type(?: "[^"]*":)?|\(got|(?:expression|default) has type|actual type) "([^"]*)"'
#: A library's function gets a function of one dtype, and values of several.
_OF_SEVERAL: Final = (
    rf'expected "Callable\[[^"]*(?:{_CATEGORY}|\] \| |\[\w+ \| )|and "(?:Array|Tensor)(?:\[\w+ \| |{_CATEGORY})'
)
_BRANCHING: Final = ast.If | ast.For | ast.While | ast.Try | ast.Match


def is_of_several(message: Message) -> bool:
    """Whether the value has one of several types: a branch that was not executed gives it another dtype."""
    given = re.search(_GIVEN, message.text)
    several = given is not None and re.search(_SEVERAL, given[1].replace("_32Bit | _64Bit", "")) is not None
    return several or re.search(_OF_SEVERAL, message.text) is not None


def is_of_branches(line: int, source: str, imported: Iterable[str]) -> bool:
    """Whether the line has a conditional, or reads a variable that branches bind: mypy may name the type of one side.

    `imported`: the sources of the modules whose variables the module imports.
    """
    tree, read = ast.parse(source), names_read(line, source)
    if any(isinstance(node, ast.IfExp) and node.lineno == line for node in ast.walk(tree)):
        return True
    either = [_bound_by_branches(source, line), *map(_bound_by_branches, imported)]
    return any(not read.isdisjoint(names) for names in either)


def _bound_by_branches(source: str, before: int | None = None) -> Set[str]:
    """The names that a module binds more than once, and in branches that end before that line."""
    tree = ast.parse(source)
    branching = (node for node in ast.walk(tree) if isinstance(node, _BRANCHING))
    above = (node for node in branching if before is None or (node.end_lineno or 0) < before)
    again = {name for name, count in Counter(_bound(tree)).items() if count > 1}
    return again.intersection(chain.from_iterable(map(_bound, above)))


def _bound(tree: ast.AST) -> Iterator[str]:
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return (name.id for name in names if isinstance(name.ctx, ast.Store))


def names_read(line: int, source: str) -> set[str]:
    """The names in a line."""
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name) and node.lineno == line}


def is_still_deleted(message: Message, others: Iterable[Message], source: str) -> bool:
    """Whether stock mypy, too, takes the variable for deleted: an assignment that it rejects does not bind it.

    It does not say so beside a value of Any. `others`: its errors in the module.
    """
    deleted = _DELETED.match(message.text)
    rejected = {each.line for each in others if each.text.startswith("Incompatible types in assignment")}
    return deleted is not None and any(deleted[1] in _bound_in(line, source) for line in rejected)


def _bound_in(line: int, source: str) -> Set[str]:
    """The names that the code in a line binds."""
    names = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name) and node.lineno == line)
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def is_deprecated(message: Message) -> bool:
    """Whether the operation works, and the library warns that it is not going to."""
    return "is going to be an error" in message.text


def is_unchecked(message: Message, source: str) -> bool:
    """Whether stock mypy takes the code with this error for unreachable, because a NumPy scalar has no dimensions."""
    if _NEVER.search(source.splitlines()[message.line - 1]):
        return True
    conditions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.If))
    never = (each.body for each in conditions if _NEVER.match(f"if {ast.unparse(each.test)}"))
    return any(body[0].lineno <= message.line <= (body[-1].end_lineno or 0) for body in never)


def is_of_stubs(message: Message, text: str = "") -> bool:
    """Whether the plugin rightly takes away an error of stock mypy about a type of the stubs. `text`: the line.

    The error is about a dtype or shape of NumPy's stubs, or about a join with such a type: the programs run, and the
    plugin knows these types better, or an inferred one must not be the reason of an error.
    """
    if any(message.text.startswith(start) and part in text for start, part in (_OF_SHAPES, _OF_RESULTS)):
        return True
    if is_about_arrays(message.text) or ("sum(" in text and re.search(_OF_SUMS, message.text)):
        return True
    known = (_OF_STUBS, _OF_WIDTHS, _OF_NO_ITEMS, _OF_TENSORS, _OF_OVERLOADS)
    return any(re.search(each, message.text) for each in known)


def is_of_numpy_number(message: Message) -> bool:
    """Whether such an error is about a number variable that holds an array or scalar, which is Any to NumPy's stubs."""
    known = (_OF_COMPARISONS, _OF_A_NUMBER)
    return any(re.search(each, message.text) for each in known) or _is_between_numbers(message.text)


def is_known_limit(message: Message) -> bool:
    """Whether the plugin wrongly takes away an error of stock mypy, by a cause that is known."""
    return any(re.search(each, message.text) for each in _KNOWN_LIMITS)


def _is_between_numbers(text: str) -> bool:
    """Whether a number does not fit another one: to the stubs the comparison of a number with an array is a bool."""
    quoted = [set(re.split(r" \| |, |tuple\[|\]", each)) for each in re.findall(r'"([^"]*)"', text)[-2:]]
    is_of_bool = any("bool" in each for each in quoted)
    return is_of_bool and len(quoted) > 1 and all(each <= _NUMBERS | {""} for each in quoted)
