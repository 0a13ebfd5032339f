"""A rejected operation gives exactly one error on every route by which mypy reaches an expression."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy

HEAD = """\
from collections.abc import Callable
from typing import Any, TypeVar, overload
import numpy as np
import numpy.typing as npt
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
@overload
def pick(x: int) -> int: ...
@overload
def pick(x: npt.NDArray[Any]) -> str: ...
def pick(x: Any) -> Any: ...
def take(x: object) -> None: ...
T = TypeVar("T")
def same(x: T) -> T:
    return x
"""

ROUTES = {
    "plain expression": "def f(a: Flags, b: Flags) -> None:\n    a - b",
    "argument": "def f(a: Flags, b: Flags) -> None:\n    take(a - b)",
    "argument of an overloaded function": "def f(a: Flags, b: Flags) -> None:\n    pick(a - b)",
    "argument of a generic function": "def f(a: Flags, b: Flags) -> None:\n    same(same(a - b))",
    "return": "def f(a: Flags, b: Flags) -> Any:\n    return a - b",
    "assignment with a declared type": "def f(a: Flags, b: Flags) -> None:\n    c: Flags = a - b",
    "list comprehension": "def f(a: Flags, b: Flags) -> None:\n    [a - b for _ in range(3)]",
    "dict comprehension": "def f(a: Flags, b: Flags) -> None:\n    {i: a - b for i in range(3)}",
    "generator": "def f(a: Flags, b: Flags) -> None:\n    take(a - b for _ in range(3))",
    "lambda": "def f(a: Flags, b: Flags) -> Callable[[], Any]:\n    return lambda: a - b",
    "lambda in a context": "def f(a: Flags) -> Callable[[Flags], Any]:\n    return lambda b: a - b",
    "conditional expression": "def f(a: Flags, b: Flags, c: bool) -> None:\n    take(a - b if c else a)",
    "loop": "def f(a: Flags, b: Flags) -> None:\n    for _ in range(3):\n        a - b",
    "while loop that widens a variable": (
        "def f(a: Flags, b: Flags) -> None:\n    x = None\n"
        "    while x is None:\n        x = 1 if a.size else None\n        a - b"
    ),
    "f-string": "def f(a: Flags, b: Flags) -> str:\n    return f'{a - b}'",
    "await and async": "async def f(a: Flags, b: Flags) -> None:\n    take(a - b)",
    "default argument": "g: Flags\ndef f(a: Any = g - g) -> None: ...",
    "class attribute": "g: Flags\nclass C:\n    x = g - g",
    "method": "class C:\n    g: Flags\n    def f(self) -> None:\n        take(self.g - self.g)",
    "decorator argument": "g: Flags\n@same(lambda f: (g - g, f)[1])\ndef f() -> None: ...",
    "walrus": "def f(a: Flags, b: Flags) -> None:\n    if (c := a - b) is not None:\n        take(c)",
    "nested in a fine expression": "def f(a: Flags, b: Flags, c: Floats) -> None:\n    take(c + (a - b))",
    "try and finally": "def f(a: Flags, b: Flags) -> None:\n    try:\n        pass\n    finally:\n        a - b",
    "with": "def f(a: Flags, b: Flags) -> None:\n    with open('x') as _:\n        a - b",
    "match": "def f(a: Flags, b: Flags) -> None:\n    match a - b:\n        case _: ...",
    "star argument": "def f(a: Flags, b: Flags) -> None:\n    take(*[a - b])",
    "union of left operands": "def f(a: Flags | npt.NDArray[np.bool_], b: Flags) -> None:\n    a - b",
    "unary": "def f(a: Flags) -> None:\n    take(-a)",
    "comparison of kinds that have none": "def f(a: Floats) -> None:\n    take(~a)",
    "built-in function": "def f(a: npt.NDArray[np.complex64]) -> None:\n    divmod(a, a)",
    "augmented assignment": "def f(a: Flags, b: Flags) -> None:\n    a -= b",
    "augmented assignment to an element": "def f(a: list[Flags], b: Flags) -> None:\n    a[0] -= b",
    "augmented assignment that casting refuses": "def f(a: npt.NDArray[np.int32], b: Floats) -> None:\n    a += b",
    "literal out of range": "def f(a: npt.NDArray[np.uint8]) -> None:\n    take(a + 300)",
    "literal out of range, reflected": "def f(a: npt.NDArray[np.uint8]) -> None:\n    take(300 - a)",
    "literal out of range, negative": "def f(a: npt.NDArray[np.uint8]) -> None:\n    take(a * -1)",
    "literal out of range, in place": "def f(a: npt.NDArray[np.uint8]) -> None:\n    a += 300",
}


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> dict[str, list[str]]:
    """Route -> codes of the errors in its file, from one run of mypy."""
    folder = tmp_path_factory.mktemp("routes")
    for number, source in enumerate(ROUTES.values()):
        (folder / f"route_{number}.py").write_text(HEAD + source + "\n")
    files = [f"route_{number}.py" for number in range(len(ROUTES))]
    settings = 'disable_error_code = ["no-untyped-call", "empty-body", "no-any-return"]'
    run = run_mypy(folder, *files, cache=plugin_cache, settings=settings)
    found: dict[str, list[str]] = {route: [] for route in ROUTES}
    for error in run.errors():
        route = list(ROUTES)[files.index(error.file)]
        found[route].append(error.code or error.text)
    return found


@pytest.mark.parametrize("route", ROUTES)
def test_exactly_one_report(route: str, errors: dict[str, list[str]]) -> None:
    expected = "promo-undefined"
    if "literal" in route:
        expected = "promo-overflow"
    elif "augmented" in route:
        expected = "promo-inplace"
    assert errors[route] == [expected]
