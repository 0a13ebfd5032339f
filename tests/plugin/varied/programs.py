"""Write mistakes into places, and execute the programs with and without the mistake."""

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

from promo_mypy.rules.records import record
from tests.plugin.varied.mistakes import Mistake, mistakes
from tests.plugin.varied.places import EXPRESSIONS, STATEMENTS

HEADERS: Final = {
    "numpy": "import cmath\nimport math\nimport numpy as np\nimport numpy.typing as npt\n",
    "torch": "import torch\nimport numpy as np\n",
    "jax": "import equinox as eqx\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n"
    "from jax import Array, lax\n",
    "tensorflow": "import numpy as np\nimport tensorflow as tf\n",
}
_STANDARD: Final = """\
import asyncio
import contextlib
import dataclasses
import sys
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar
T = TypeVar("T")
"""
_ANNOTATIONS: Final = """\
from jaxtyping import (
    BFloat16, Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, UInt16
)
"""
_USE: Final = re.compile(r"^(?P<indent> *)(?P<start>.*)USE<(?P<given>.*)>(?P<rest>.*)$")
_ASSIGNABLE: Final = re.compile(r'[\w.]+(?:\["x"\])?')


@record
class Program:
    """A mistake in a place.

    Attributes:
        name: kind, place and number of the mistake.
        wrong: the source with the mistake, without the header.
        right: the source without it.
        use: the lines of the mistake, from 1, in `wrong` and in `right`.
        is_rejected: whether the library rejects the mistake; else it gives another dtype.
    """

    name: str
    wrong: str
    right: str
    use: range
    is_rejected: bool


def written(kind: str, library: str, *, every: bool) -> Iterator[Program]:
    """The programs of a kind. Each place has one mistake, another for the next place, or `every` one."""
    found = mistakes(kind, library)
    for index, (place, text) in enumerate({**STATEMENTS, **EXPRESSIONS}.items()):
        for number in range(len(found)) if every else [index % len(found)]:
            if _fits(place, found[number]):
                yield _program(f"{kind}_{place}_{number}", text, found[number])


def _fits(place: str, mistake: Mistake) -> bool:
    """Whether Python allows it: `x += 1` in a function makes `x` one of its own variables."""
    return not mistake.is_statement or (place in STATEMENTS and place not in ("constant", "closure"))


def _program(name: str, text: str, mistake: Mistake) -> Program:
    wrong, use = _filled(text, mistake, mistake.wrong)
    right, _ = _filled(text, mistake, mistake.right)
    return Program(name, "\n".join(wrong), "\n".join(right), use, mistake.result == "object")


def _filled(text: str, mistake: Mistake, use: str) -> tuple[list[str], range]:
    """The lines of a place with its gaps filled, and the lines of the use."""
    lines: list[str] = []
    found = range(0)
    for line in text.strip("\n").splitlines():
        match = _USE.match(line)
        if match is None:
            lines.append(line)
            continue
        start = len(lines) + 1
        lines += _used(match, mistake, use)
        found = range(start, len(lines) + 1)
    gaps = {"VALUE": mistake.value, "TYPE": mistake.type, "RESULT": mistake.result}
    return [re.sub("|".join(gaps), lambda gap: gaps[gap[0]], line) for line in lines], found


def _used(match: "re.Match[str]", mistake: Mistake, use: str) -> list[str]:
    indent, given = match["indent"], match["given"]
    if not mistake.is_statement:
        return [f"{indent}{match['start']}{use.replace('{x}', given)}{match['rest']}"]
    first = [] if _ASSIGNABLE.fullmatch(given) else [f"{indent}target = {given}"]
    target = "target" if first else given
    return [*first, f"{indent}{use.replace('{x}', target)}", f"{indent}{match['start']}{target}"]


def module(library: str, programs: Sequence[Program], *, wrong: bool) -> tuple[str, list[int]]:
    """A module of all programs, and the line before the first one of each."""
    annotations = "" if library == "numpy" else _ANNOTATIONS
    lines = (_STANDARD + HEADERS[library] + annotations).splitlines()
    starts = []
    for number, program in enumerate(programs):
        starts.append(len(lines))
        source = program.wrong if wrong else program.right
        lines += re.sub(r"_N\b", f"_{number}", source).splitlines()
    return "\n".join(lines) + "\n", starts


def executed(library: str, programs: Sequence[Program], *, wrong: bool) -> list[Any]:
    """What each program returns, or the exception that it raises."""
    source, _ = module(library, programs, wrong=wrong)
    namespace: dict[str, Any] = {"__name__": "varied"}
    exec(source, namespace)
    return [_outcome(namespace[f"main_{number}"]) for number in range(len(programs))]


def _outcome(main: Any) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore")
        warnings.filterwarnings("error", "scatter inputs have incompatible types", FutureWarning)
        try:
            return main()
        except Exception as error:  # libraries have exceptions of their own
            return error
