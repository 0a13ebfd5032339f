"""`pr.testing`: what passes, and the text of the AssertionError."""

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.dtypes import UnknownDtypeError
from promo_runtime.testing import assert_dtype, assert_promotes
from tests.needed import imported

single: Any = np.ones(2, np.float32)
double: Any = np.ones(2)
Pair = namedtuple("Pair", "left right")


@dataclass
class State:
    step: int
    weights: Any


def failure(call: Callable[[], None]) -> str:
    with pytest.raises(AssertionError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("dtype", ["float32", np.float32, np.dtype("f4"), pr.float32, "f4", pr.Float, "Float"], ids=str)
def test_a_dtype_may_be_given_under_any_name(dtype: Any) -> None:
    assert_dtype(single, dtype)
    assert_dtype({"w": [single, (np.float32(1),)], "b": None}, dtype)
    assert failure(lambda: assert_dtype(np.ones(2, int), dtype)).startswith("x is int64: expected ")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"w": [single, double]}, 'x["w"][1] is float64: expected float32'),
        ({3: (double,)}, "x[3][0] is float64: expected float32"),
        (Pair(single, double), "x.right is float64: expected float32"),
        (State(1, single), "x.step is not an array but int: expected float32"),
        ([None, []], "no array in list: expected float32"),
        (1.0, "x is not an array but float: expected float32"),
        (np.array(["a"]), "x is <U1: expected float32"),
        (pr.asarray([1.0]), "x is float64: expected float32"),
    ],
    ids=str,
)
def test_the_error_names_the_path(value: Any, text: str) -> None:
    assert failure(lambda: assert_dtype(value, "float32")) == text


def test_an_unknown_dtype_name() -> None:
    with pytest.raises(UnknownDtypeError, match="did you mean float32"):
        assert_dtype(single, "float23")


def test_other_libraries() -> None:
    jnp: Any = imported("jax.numpy")
    torch: Any = imported("torch")
    eqx: Any = imported("equinox")
    assert_dtype(jnp.ones(2, "bfloat16"), jnp.bfloat16)
    assert_dtype([torch.ones(2), jnp.asarray(1.0)], torch.float32)
    layer = eqx.nn.Linear(2, 2, key=__import__("jax").random.key(0))
    assert_dtype(eqx.filter(layer, eqx.is_array), "float32")
    assert failure(lambda: assert_dtype(layer.weight.astype("float16"), "float32")) == "x is float16: expected float32"


def test_promotion() -> None:
    assert_promotes("jax", "int32", "float16", to="float16")
    assert_promotes("jax", single, np.ones(2, "int64"), to=pr.float32)
    assert_promotes("jax", "int32", 1.5, to="float64*")
    assert_promotes("jax", "int32", 1.5, to=pr.Float)
    assert_promotes("torch", "uint16", "int8", to=pr.PromotionError)
    text = failure(lambda: assert_promotes("numpy", "int32", "float16", to="float16"))
    assert text == "the operands promote to float64: expected float16"
    text = failure(lambda: assert_promotes("jax", "int32", "float32", to="float32*"))
    assert text == "the operands promote to float32: expected float32*"
    text = failure(lambda: assert_promotes("numpy", "int32", "float16", to=pr.PromotionError))
    assert text == "the operands promote to float64: expected no common dtype"
    text = failure(lambda: assert_promotes("torch", "uint16", "int8", to="int32"))
    assert text.endswith(": expected int32")
