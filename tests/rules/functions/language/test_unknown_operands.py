"""Calls with unknown arrays: an answer is the dtype that the library gives for arrays of every accepted dtype."""

import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.arguments import UNKNOWN, Arguments, DtypeArgument, Value
from promo_mypy.rules.functions.language.resolving import verdict
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.systems import get_system
from tests.needed import imported

_FLOAT = Operand(dt.float32)
#: Arguments: a float32 array, an unknown one, numbers.
PATTERNS = (
    (UNKNOWN,),
    (UNKNOWN, Value(0)),
    (UNKNOWN, UNKNOWN),
    (UNKNOWN, _FLOAT),
    (_FLOAT, UNKNOWN),
    (_FLOAT, UNKNOWN, Value(1)),
    (UNKNOWN, Value(0), UNKNOWN),
)
#: Fewer answers than these mean that the look-up of functions, or the answers, are lost.
FEWEST = {"torch": 80, "jax": 60}


def answered(library: str) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """Functions and patterns that have an answer only because every array gives the same."""
    system, table = get_system(library), functions.library(library)
    for name, row in table.functions.items():
        for pattern in PATTERNS:
            arguments = Arguments.of(*pattern)
            answer = functions.resolve_call(system, row, arguments)
            if isinstance(answer, type) and verdict(system, row, arguments) is None:
                yield name, pattern, answer


def choices(names: list[str], unknown: int) -> Iterator[tuple[str, ...]]:
    """Dtypes for the unknown arrays: each alone, or beside itself and some others."""
    if unknown == 1:
        yield from ((name,) for name in names)
        return
    for name in names:
        yield from {(name, name), (name, "float32"), ("int64", name)}


def executed(
    library: str, root: Any, array: Callable[[str], Any], dtype: Callable[[Any], str]
) -> Iterator[tuple[str, str, str, str]]:
    """(function, dtypes, answer, result) of every call that the library accepts."""
    names = [each.name for each in get_system(library).dtypes if not each.weak]
    for name, pattern, answer in answered(library):
        function = root
        for part in name.split("."):
            function = getattr(function, part)
        for choice in choices(names, pattern.count(UNKNOWN)):
            chosen = iter(choice)
            given = [
                array(next(chosen)) if each is UNKNOWN else array("float32") if each is _FLOAT else each.value
                for each in pattern
            ]
            try:
                result = function(*given)
            except (TypeError, ValueError, RuntimeError, IndexError, NotImplementedError, AssertionError):
                continue
            yield name, " ".join(choice), answer.name, dtype(result)


def test_torch_gives_that_dtype() -> None:
    torch = imported("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(
            executed(
                "torch",
                torch,
                lambda name: torch.ones(3).to(getattr(torch, name)),
                lambda result: str(getattr(result, "dtype", "py_bool")).removeprefix("torch."),
            )
        )
    assert [each for each in found if each[2] != each[3]] == []
    assert len({each[0] for each in found}) > 20


def test_jax_gives_that_dtype(monkeypatch: pytest.MonkeyPatch) -> None:
    jax, jnp = imported("jax"), imported("jax.numpy")
    here = sys.modules[__name__]
    monkeypatch.setattr(here, "PATTERNS", PATTERNS[:2])
    monkeypatch.setattr(here, "choices", lambda *_: [("bool",), ("int32",), ("float64",), ("complex64",)])
    with jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(
            executed(
                "jax", jax, lambda name: jnp.eye(3, dtype=name), lambda result: str(getattr(result, "dtype", "py_bool"))
            )
        )
    assert [each for each in found if each[2] != each[3]] == []
    assert len({each[0] for each in found}) > 8


@pytest.mark.parametrize("library", FEWEST)
def test_as_many_functions_have_an_answer_as_were_measured(library: str) -> None:
    assert len(list(answered(library))) >= FEWEST[library]


@pytest.mark.parametrize(
    ("library", "name", "arguments"),
    [
        ("torch", "add", (UNKNOWN, _FLOAT)),
        ("torch", "div", (UNKNOWN, UNKNOWN)),
        ("torch", "Tensor.view", (_FLOAT, UNKNOWN)),
        ("torch", "matmul", (UNKNOWN, _FLOAT)),
        ("torch", "nn.functional.linear", (UNKNOWN, _FLOAT)),
        ("jax", "numpy.sum", (UNKNOWN,)),
    ],
)
def test_unknown_where_the_argument_may_matter(library: str, name: str, arguments: tuple[Any, ...]) -> None:
    row = functions.find(f"{library}.{name}")
    assert row is not None
    answer = functions.resolve_call(get_system(library), row, Arguments.of(*arguments))
    assert answer is None


def test_an_unknown_dtype_stays_unknown() -> None:
    row = functions.find("torch.zeros")
    assert row is not None
    arguments = Arguments.of(Value(3), dtype=UNKNOWN)
    assert functions.resolve_call(get_system("torch"), row, arguments) is None
    known = Arguments.of(Value(3), dtype=DtypeArgument(dt.int8))
    assert functions.resolve_call(get_system("torch"), row, known) is dt.int8
