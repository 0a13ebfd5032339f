"""Each parameter that takes nothing but integers, executed with an integer and with a float of the same value."""

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest

from promo_mypy.rules import functions
from promo_mypy.rules.functions.integer_parameters import UNTYPED, integer_parameters
from tests.needed import imported
from tests.rules.functions.integer_calls import CALLS

#: What the libraries raise for a float. JAX's ValueErrors and IndexErrors say that a tracer or float is no integer.
_ERRORS: Final = (TypeError, ValueError, IndexError)
_NUMBER: Final = re.compile(r"\{(\d)\}")


def names_of(library: str) -> dict[str, Any]:
    """The names that the calls of a library use."""
    if library == "numpy":
        return {"np": np, "x": np.ones(3), "m": np.eye(3)}
    if library == "torch":
        torch = imported("torch")
        return {"torch": torch, "x": torch.ones(3), "m": torch.eye(3)}
    jnp = imported("jax.numpy")
    return {"jax": imported("jax"), "jnp": jnp, "d": jnp.float32, "x": jnp.ones(3), "m": jnp.eye(3)}


def is_untyped(library: str, name: str) -> bool:
    """Whether stock mypy accepts a Python float for a parameter."""
    function, parameter = name.split()
    return library == "jax" and function in UNTYPED.get(parameter, ())


def calls_of(library: str) -> Iterator[tuple[str, str]]:
    """Function and parameter, with one call."""
    for name, calls in CALLS[library].items():
        yield from ((name, call.strip()) for call in calls.split(";"))


@pytest.mark.parametrize("library", CALLS)
def test_only_integers_are_accepted(library: str) -> None:
    accepted = []
    for name, call in calls_of(library):
        eval(_NUMBER.sub(r"\1", call), names_of(library))
        for number in (np.float64, float) if is_untyped(library, name) else (np.float64,):
            try:
                eval(_NUMBER.sub(r"number(\1)", call), names_of(library) | {"number": number})
            except _ERRORS:
                continue
            accepted.append((call, number))
    assert accepted == []


@pytest.mark.parametrize("library", CALLS)
def test_each_parameter_has_a_call(library: str) -> None:
    table = functions.library(library)
    rows = [*table.functions.values(), *table.methods.values()]
    assert {f"{row.name} {name}" for row in rows for name in integer_parameters(row)} == set(CALLS[library])


def test_a_truncating_function_is_not_listed() -> None:
    """The companion: `np.roll` takes a float."""
    row = functions.library("numpy").function("roll")
    assert row is not None
    assert not integer_parameters(row)
    assert np.roll(np.arange(3), np.float64(1)).tolist() == [2, 0, 1]  # type: ignore[call-overload]  # its stubs take ints
