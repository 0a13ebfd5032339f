"""Name a value that has another dtype than the declared one, and say what to write instead."""

from typing import Final

RETURNED: Final = "the returned value"
YIELDED: Final = "the yielded value"
ASSIGNED: Final = "the assigned value"


def argument(which: str, function: str) -> str:
    """An argument of a call: its number or its quoted name; `function` is empty for a callee without a name."""
    return f"argument {which} of {function}" if function else f"argument {which}"


def default(parameter: str) -> str:
    """The default of a parameter."""
    return f"the default of `{parameter}`"


def item(number: int) -> str:
    """An item of a list, set or tuple, counted from 0."""
    return f"item {number}"


def entry(number: int) -> str:
    """The value of an entry of a dict, counted from 0."""
    return f"the value of entry {number}"


def key(name: str) -> str:
    """The value of a key of a TypedDict."""
    return f"the value of `{name}`"


#: Where no cast can be spelled.
CHANGE: Final = "cast it, or change the annotation"


def asking(dtype: str) -> str:
    """The value is a cast to another dtype."""
    return f"ask for {dtype}, or change the annotation"


def casting(cast: str) -> str:
    """A cast loses digits at most."""
    return f"cast it with {cast}, or change the annotation"


def casting_operand(cast: str, where: str) -> str:
    """A cast of the operand that gives an operation its dtype; `where`: the line, if it is in another one."""
    return f"cast the operand{where} with {cast}, or change the annotation"


def losing(cast: str) -> str:
    """A cast may lose fractions, or numbers that are out of range."""
    return f"change the annotation, or cast it with {cast} if losing values is meant"
