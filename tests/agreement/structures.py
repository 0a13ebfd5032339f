"""Random statements that pass values through Python: containers, unpacking, control flow, functions, classes.

They are texts with gaps from the files in `texts`, separated by empty lines. A gap of one letter and perhaps a digit,
such as `<x2>`, has the same value everywhere in a text: x an array, v a vector, m a matrix, k a scalar of the library,
n a Python number, o an operator, c a condition, d a dtype, p an expression of a parameter p, e any expression. `@1`,
`@2` ... are new names that are read afterwards, `@f` and the like new names that are not.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.agreement.expressions import USUAL, expression, parameter_expression, scalar
from tests.agreement.scope import Scope

_GAP = re.compile(r"<([xvmknocdpe])(\d?)>")
_NAME = re.compile(r"@(\w)")


class Filled(NamedTuple):
    """Lines, and the names in them that are read afterwards."""

    lines: list[str]
    names: list[str]


def structure(scope: Scope) -> Filled | None:
    """One of the texts, filled; None if a gap has no possible value."""
    return filled(scope, scope.random.choice(_EVERYWHERE + _TEXTS[scope.dialect.library]))


def filled(scope: Scope, text: str) -> Filled | None:
    """The text with values in its gaps; None if a gap has no possible value."""
    given: dict[str, str | None] = {}

    def value(match: re.Match[str]) -> str:
        if match[0] not in given:
            given[match[0]] = _value(scope, match[1])
        return given[match[0]] or ""

    fresh = {name: scope.fresh("b") for name in sorted(set(_NAME.findall(text)))}
    whole = _GAP.sub(value, text.replace("xp.", f"{scope.dialect.namespace}."))
    if None in given.values():
        return None
    lines = _NAME.sub(lambda match: fresh[match[1]], whole).strip("\n").splitlines()
    return Filled(lines, [name for key, name in fresh.items() if key.isdigit()])


def _value(scope: Scope, kind: str) -> str | None:
    match kind:
        case "x":
            return scope.array()
        case "v":
            return scope.array(1)
        case "m":
            return scope.array(2)
        case "k":
            return scalar(scope)
        case "n":
            return scope.number()
        case "o":
            return str(scope.one_of(*USUAL))
        case "c":
            return scope.condition()
        case "d":
            return scope.dtype()
        case "e":
            return expression(scope)
        case _:
            return parameter_expression(scope)


def texts_of(folder: Path, name: str) -> tuple[str, ...]:
    """The texts in one file."""
    return tuple((folder / f"{name}.txt").read_text(encoding="utf-8").strip().split("\n\n"))


def _texts(name: str) -> tuple[str, ...]:
    return texts_of(Path(__file__).with_name("texts"), name)


_EVERYWHERE = _texts("everywhere")
#: Arrays of several dtypes: NumPy's stubs reject most of their containers.
_CONTAINERS = _texts("containers")
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "numpy": _texts("numpy"),
    "cupy": _texts("cupy"),
    "jax": (*_CONTAINERS, *_texts("jax")),
    "torch": (*_CONTAINERS, *_texts("torch")),
}
