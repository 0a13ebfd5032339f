"""Errors of one run only that are right."""

import ast
import re
from collections.abc import Sequence
from typing import Final

from tests.mypy_runs import Message

_OF_STUBS: Final = (
    r"ndarray\[|_ArrayOrScalarCommon|\bobject\b|signedinteger|floating|\bfloat64|\bcomplex128|numpy\.bool|bfloat16"
    r"|_UFunc|_RealMixin|\"generic\[\w+\]\"|left operand type: .Literal\[0\]|type parameter"
    r"|Need type annotation|integer\["
)
#: Of an array and a number only the dtype may be wrong: the stubs reject those of ml_dtypes. A bool of NumPy is printed
#: without its module.
_OF_OVERLOADS: Final = (
    r'^No overload variant of "__\w+__" of "ndarray" matches argument type "(?:int|float|complex|bool)"$'
    r'|^No overload variant of .*"bool\[(?:Any|builtins\.bool)\]"'
)
#: What the stubs take for a scalar may be an array, with a shape that has items.
_OF_SHAPES: Final = ("Tuple index out of range", ".shape[")
#: The stubs take this for False if they take the array for a scalar, and mypy does not check what depends on it.
_NEVER: Final = re.compile(r"\bif len\(\w+\.shape\) > 0")
#: The stubs take `1 == x` for a bool, the results of `qr` for three, and the sum of arrays for one of them or 0. After
#: such an error a deleted variable stays deleted.
_OF_JAX: Final = (
    r'^"bool" has no attribute|^Too many values to unpack|^Value of type "bool" is not indexable'
    r'|"(?:Array|Tensor)"[^"]*"(?:str": ")?bool(?: \| None)?"|"bool"[^"]*"(?:str": ")?(?:Array|Tensor)"'
    r'|"(?:Array|Tensor) \| (?:int|float)"|(?:Array|Tensor) \| Literal\[0\]|^Trying to read deleted variable'
    r'|(?:defined the type as|target has type) "(?:bool|Callable\[\[\], bool\])"'
    r'|incompatible type "tuple\[bool, \w+\]"; expected "tuple\[(?:Array|Tensor), \w+\]"'
)
_TO_A_NUMBER: Final = r'expression has type "(?:Array|Tensor)[^"]*", variable has type "(?:int|float)"'
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
_NUMBERS: Final = frozenset({"int", "float", "complex", "bool", "str", "None"})
#: A union, and the join of several dtypes.
_CATEGORY: Final = r"\[(?:Shaped|Num|Real|Inexact|Float|Complex|Integer|SignedInteger|UnsignedInteger|Int|UInt)\]"
_SEVERAL: Final = rf" \| |generic\[|{_CATEGORY}"
_GIVEN: Final = r'(?:incompatible type(?: "[^"]*":)?|\(got|(?:expression|default) has type|actual type) "([^"]*)"'
#: A library's function gets a function of one dtype, and values of several.
_OF_SEVERAL: Final = (
    rf'expected "Callable\[[^"]*(?:{_CATEGORY}|\] \| |\[\w+ \| )|and "(?:Array|Tensor)(?:\[\w+ \| |{_CATEGORY})'
)
_NUMBER_FOR_ARRAY: Final = (
    r'(?:got|incompatible type|expression has type) "[^"]*\b(?:int|float|Literal\[0\])[^"]*".*'
    r'"[^"]*\b(?:Array|Tensor)\b'
)
_NUMBER_MAKERS: Final = frozenset({"sum", "while_loop", "fori_loop", "scan"})
_BRANCHING: Final = ast.If | ast.For | ast.While | ast.Try | ast.Match


def is_of_several(message: Message) -> bool:
    """Whether the value has one of several types: a branch that was not executed gives it another dtype."""
    given = re.search(_GIVEN, message.text)
    several = given is not None and re.search(_SEVERAL, given[1].replace("_32Bit | _64Bit", "")) is not None
    return several or re.search(_OF_SEVERAL, message.text) is not None


def is_of_branches(line: int, source: str) -> bool:
    """Whether the line reads a variable that branches above it bind: mypy may name the type of one of them."""
    tree = ast.parse(source)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.lineno == line}
    for branching in (node for node in ast.walk(tree) if isinstance(node, _BRANCHING)):
        names = [node for node in ast.walk(branching) if isinstance(node, ast.Name)]
        is_above = (branching.end_lineno or 0) < line
        if is_above and any(node.id in read and isinstance(node.ctx, ast.Store) for node in names):
            return True
    return False


def is_of_stub_numbers(message: Message, source: str) -> bool:
    """Whether an array is a number to the stubs: they say so of `sum` and of the loops of `jax.lax`."""
    if not re.search(_NUMBER_FOR_ARRAY, message.text):
        return False
    tree = ast.parse(source)
    on_line = [node for node in ast.walk(tree) if getattr(node, "lineno", None) == message.line]
    read = {node.id for node in on_line if isinstance(node, ast.Name)}
    bound = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and any(isinstance(name, ast.Name) and name.id in read for target in node.targets for name in ast.walk(target))
    ]
    return any(isinstance(each, ast.Call) and _name_of(each.func) in _NUMBER_MAKERS for each in (*on_line, *bound))


def _name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


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


def is_fair(message: Message, others: Sequence[Message], text: str = "") -> bool:
    """Whether the plugin rightly takes away an error of stock mypy.

    `others`: the errors with the plugin. `text`: the line.

    The error is about a dtype or shape of NumPy's stubs, or about a join with such a type: the programs run, and the
    plugin knows these types better, or an inferred one must not be the reason of an error. Or it is about a number
    variable that holds an array or scalar, which is Any to the stubs. Or it follows from the assignment of an array to
    a number variable, an error that mypy reports in both runs.
    """
    if message.text == _OF_SHAPES[0] and _OF_SHAPES[1] in text:
        return True
    known = (_OF_STUBS, _OF_OVERLOADS, _OF_JAX, _OF_A_NUMBER)
    if any(re.search(each, message.text) for each in known) or _is_between_numbers(message.text):
        return True
    return any(each.code == "assignment" and re.search(_TO_A_NUMBER, each.text) for each in others)


def _is_between_numbers(text: str) -> bool:
    """Whether a number does not fit another one: to the stubs the comparison of a number with an array is a bool."""
    quoted = re.findall(r'"([^"]*)"', text)
    return len(quoted) > 1 and all(
        set(re.split(r" \| |, |tuple\[|\]", each)) <= _NUMBERS | {""} for each in quoted[-2:]
    )
