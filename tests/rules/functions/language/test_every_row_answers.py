"""Every row of every library answers for absurd arguments, too: a dtype, a refusal, or unknown."""

from collections.abc import Iterator
from typing import Final

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions import library, resolve_call
from promo_mypy.rules.functions.language.arguments import (
    OTHER,
    UNKNOWN,
    Argument,
    Arguments,
    DtypeArgument,
    Items,
    Many,
    Value,
)
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.systems import get_system

SYSTEMS: Final = {
    "numpy": ("numpy", "numpy-legacy"),
    "jax": ("jax", "jax-strict"),
    "torch": ("torch",),
    "cupy": ("cupy",),
    "dask": ("dask",),
    "tensorflow": ("tensorflow",),
    "paddle": ("paddle",),
    "array_api_strict": ("array-api",),
}
FLOAT32: Final = Operand(dt.float32)
OTHERS: Final[tuple[Argument, ...]] = (
    *map(Operand, dt.PYTHON_SCALARS.values()),
    *(Operand(dt.float32, form) for form in (Form.ZERO_D, Form.SCALAR)),
    *map(Value, (3, -1, 2.5, "x", None, True)),
    Items(()),
    Items((Value(1),)),
    Items((Operand(dt.int8), Operand(dt.float16))),
    Many(Operand(dt.int8)),
    DtypeArgument(dt.float16),
    UNKNOWN,
    OTHER,
)


def calls(arguments: tuple[Argument, ...]) -> Iterator[Arguments]:
    yield Arguments((), ())
    for argument in arguments:
        yield Arguments((argument,), ())
        yield Arguments((argument, argument), ())
        yield Arguments((argument, FLOAT32), ())


@pytest.mark.parametrize(
    ("name", "system"),
    [
        pytest.param(name, each, marks=() if name == each else pytest.mark.slow)
        for name, systems in SYSTEMS.items()
        for each in systems
    ],
)
def test_no_row_fails(name: str, system: str) -> None:
    rules = get_system(system)
    arrays = (Operand(dtype) for dtype in dt.DTYPES.values() if rules.has(dtype) or dtype is dt.key)
    every = list(calls((*arrays, *OTHERS)))
    rows = set(library(name).functions.values()) | set(library(name).methods.values())
    assert len(rows) > 25
    for row in rows:
        for arguments in every:
            try:
                resolve_call(rules, row, arguments)
            except Exception as error:
                raise AssertionError(f"{row.full_name}({arguments})") from error
