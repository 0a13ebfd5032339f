"""Random numbers of a given size have one dtype, whatever the parameters of their distribution are."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.arguments import UNKNOWN, Argument, Arguments, Items, Value
from promo_mypy.rules.systems import get_system

#: Function -> how many parameters its distribution has.
FUNCTIONS = {
    "normal": 2, "uniform": 2, "lognormal": 2, "laplace": 2, "gamma": 2, "beta": 2, "exponential": 1, "poisson": 1,
    "binomial": 2, "geometric": 1, "standard_t": 1, "vonmises": 2, "triangular": 3, "hypergeometric": 3,
}  # fmt: skip
PARAMETERS: tuple[Any, ...] = (
    1,
    0.5,
    np.float32(0.5),
    np.ones(3, np.float16),
    np.ones(3, np.int8),
    np.ones(3),
    [1, 1, 1],
)
SIZE = (2, 3)


def answer(name: str, count: int, size: Argument) -> object:
    row = functions.find(f"numpy.random.Generator.{name}")
    assert row is not None
    return functions.resolve_call(get_system("numpy"), row, Arguments.of(*[UNKNOWN] * (count + 1), size=size))


def executed(name: str, count: int) -> Iterator[str]:
    draw = getattr(np.random.default_rng(0), name)
    for parameter in PARAMETERS:
        try:
            yield draw(*[parameter] * count, size=SIZE).dtype.name
        except (ValueError, TypeError):  # the parameters contradict each other, or must be integers
            continue


@pytest.mark.parametrize(("name", "count"), FUNCTIONS.items())
def test_a_size_makes_an_array(name: str, count: int) -> None:
    found = answer(name, count, Items((Value(2), Value(3))))
    assert isinstance(found, type)
    assert issubclass(found, dt.Shaped)
    measured = set(executed(name, count))
    assert measured <= {found.name}
    assert measured or name in ("triangular", "geometric")


@pytest.mark.parametrize(("name", "count"), FUNCTIONS.items())
def test_without_a_size_it_may_be_a_number(name: str, count: int) -> None:
    assert answer(name, count, Value(None)) is None
    assert answer(name, count, UNKNOWN) is None
