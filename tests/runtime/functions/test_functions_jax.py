"""The functions of JAX's namespace agree with JAX: dtypes by abstract evaluation, values of float32."""

from functools import partial
from typing import Any

import pytest

import promo_runtime as pr
from promo_runtime.functions.definitions import Function
from tests.needed import imported
from tests.runtime.functions.function_samples import arity, offered, theirs
from tests.runtime.functions.library_calls import Comparison

jax = imported("jax")

pytestmark = pytest.mark.filterwarnings("ignore")

#: Functions that abstract evaluation cannot handle: the shape depends on values.
BY_VALUE = {
    "nonzero",
    "unique_values",
    "unique_counts",
    "unique_inverse",
    "unique_all",
    "argwhere",
    "flatnonzero",
    "union1d",
    "setdiff1d",
    "bincount",
    "trim_zeros",
    "unique",
    "compress",
    "extract",
    "choose",
    "ravel_multi_index",
}
#: One dtype of each kind and precision; tests/rules/functions compares the others.
DTYPES = (
    pr.bool_, pr.uint8, pr.int32, pr.uint64, pr.bfloat16, pr.float16, pr.float32, pr.float64, pr.complex64,
    pr.weak_int64, pr.weak_float64,
)  # fmt: skip
#: The pairs where the lattice of JAX is not a chain, and numbers.
MEETING = (pr.uint64, pr.int32, pr.bfloat16, pr.float16, pr.weak_float64)


def abstract(function: Function, arrays: list[Any]) -> Any:
    """JAX's answer for the call without computing."""
    return jax.eval_shape(lambda *given: theirs("jax", function, list(given)), *arrays)


def test_jax_gives_the_same() -> None:
    comparison = Comparison("jax")
    with jax.enable_x64(True):
        for name, function in offered("jax"):
            if function.kept:
                continue
            count = arity(function)
            for dtype in DTYPES if name not in BY_VALUE else ():
                comparison.compare(name, function, (dtype,) * count, partial(abstract, function))
            for one in MEETING if count == 2 and name not in BY_VALUE else ():
                for other in MEETING:
                    comparison.compare(name, function, (one, other), partial(abstract, function))
            if "." not in name:  # JAX takes long to compile matrix functions, and both use NumPy's library for them
                for dtype in (pr.float32, pr.weak_float64) if name in BY_VALUE else (pr.float32,):
                    call = partial(theirs, "jax", function)
                    comparison.compare(name, function, (dtype,) * count, call)
    assert comparison.wrong == []
    assert comparison.seen == {"dtype": 3992, "no kernel": 2, "refused": 178, "values": 209}
