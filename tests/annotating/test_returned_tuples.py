"""Tuples that are returned: from the items of each return, recorded or inferred."""

import ast

import pytest

from promo_mypy.annotating.wishes import FunctionWishes, TupleWish, Wish, returned_tuples, wishes_of
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.profiles import EXPRESSION, PARAMETER, RESULT, Observations, Place, Seen, lines_of
from promo_mypy.rules.recorded_functions import recorded_functions
from tests.needed import needs

needs("libcst")
from promo_mypy.annotating.edits import with_annotations  # noqa: E402 (only if it is there)
from promo_mypy.annotating.spellings import Style  # noqa: E402

FLOAT32, BOOL = Wish("numpy", frozenset({dt.float32})), Wish("numpy", frozenset({dt.bool_}))
WHOLE = (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("return x, y", 1),
        ("if x: return x, y\n    return y, x", 2),
        ("def g(): return x\n    return x, y", 1),
        ("if x: return x, y\n    return x", 0),
        ("if x: return x, y\n    return x, y, y", 0),
        ("return x, *y", 0),
        ("return f(x)", 0),
        ("pass", 0),
    ],
)
def test_each_return_writes_its_tuple(body: str, count: int) -> None:
    (function,) = ast.parse(f"def f(x, y):\n    {body}\n").body
    assert isinstance(function, ast.FunctionDef)
    assert len(returned_tuples(function)) == count


def _wishes(*items: Observations, widen: bool = False) -> FunctionWishes | None:
    """The wishes for a function of which a parameter and the items of a returned tuple were recorded."""
    source = "def f(x, y):\n    return x, y\n"
    (recorded,) = recorded_functions(ast.parse(source), lines_of(source))
    places = {
        Place(PARAMETER, "x", WHOLE): Observations({Seen("numpy", "float32"): 1}),
        Place(RESULT, "", WHOLE): Observations({}, {"tuple": 1}),
    }
    line = 2 - recorded.first
    for column, seen in zip((11, 14), items, strict=True):
        places[Place(EXPRESSION, "", (line, column, line, column + 1))] = seen
    return next(wishes_of(source, {recorded.function: places}, {}, widen=widen), None)


def test_recorded_items() -> None:
    seen = Observations({Seen("numpy", "float32"): 1})
    found = _wishes(seen, Observations({Seen("numpy", "bool"): 1}))
    assert found == FunctionWishes("f", 1, {"x": FLOAT32}, TupleWish((FLOAT32, BOOL)))
    found = _wishes(seen, Observations({}, {"int": 1}))
    assert found == FunctionWishes("f", 1, {"x": FLOAT32}, None)


def test_widened() -> None:
    seen = Observations({Seen("numpy", "float32"): 1})
    found = _wishes(seen, Observations({Seen("numpy", "bool"): 1}), widen=True)
    floats = Wish("numpy", frozenset({dt.bfloat16, dt.float16, dt.float32, dt.float64}))
    assert found == FunctionWishes("f", 1, {"x": floats}, TupleWish((floats, BOOL)))


def test_what_is_inferred_is_not_widened() -> None:
    (found,) = wishes_of("def f(x):\n    return x\n", {}, {1: FLOAT32}, widen=True)
    assert found.result == FLOAT32


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(x):", "def f(x) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:"),
        (
            "def f(x) -> tuple[np.ndarray, np.ndarray]:",
            "def f(x) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:",
        ),
        (
            "def f(x) -> Tuple[np.ndarray, list[int]]:",
            "def f(x) -> Tuple[npt.NDArray[np.float32], list[int]]:",
        ),
        ("def f(x) -> tuple[np.ndarray, ...]:", "def f(x) -> tuple[np.ndarray, ...]:"),
        ("def f(x) -> Pair:", "def f(x) -> Pair:"),
    ],
)
def test_what_is_written(before: str, after: str) -> None:
    imports = "import numpy as np\nimport numpy.typing as npt\nfrom typing import Tuple\n"
    wishes = {4: FunctionWishes("f", 4, {}, TupleWish((FLOAT32, BOOL)))}
    text = with_annotations(f"{imports}{before} ...\n", wishes, Style.AUTO).text
    assert text == f"{imports}{after} ...\n"
