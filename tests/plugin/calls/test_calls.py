"""Single calls: what is reported, what arguments must not be mistaken for, and what stays the same."""

from pathlib import Path

import pytest

from tests.mypy_runs import Run, run_mypy
from tests.needed import needs

needs("jax", "jaxtyping", "torch", "array_api_strict")

HEAD = """\
import array_api_strict as xp
import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Array, Float, Float32, Int32
from torch import Tensor
from typing import Any
a: npt.NDArray[np.float32]
i: npt.NDArray[np.int32]
unknown: npt.NDArray[Any]
x: Float32[Array, "n"]
k: Int32[Array, "n"]
t: Float32[Tensor, "n"]
n: Int32[Tensor, "n"]
any_float: Float[Array, "n"]
single = torch.float32
double = torch.float64
"""

#: Expression -> revealed type, or the code of the error on its line.
CALLS = {
    # Two dtypes that are one type to mypy are two cases.
    "xp.ones(2, dtype=xp.int8)": "Array[int8]",
    "xp.ones(2, dtype=xp.float32)": "Array[float32]",
    "torch.ones(2, dtype=single)": "Tensor[float32]",
    "torch.ones(2, dtype=double)": "Tensor[float64]",
    "torch.full((2,), 1.0, dtype=t.dtype)": "Tensor[float32]",
    # Unknown arguments give an unknown dtype, and no error.
    "np.sin(unknown)": "Any",
    "jnp.add(x, *[k])": "Array[Any]",
    "torch.matmul(t, unknown_tensor())": "Tensor[Any]",
    # All dtypes that a category stands for; none of 64 bits, since x64 is off.
    "jnp.sin(any_float)": "Array[bfloat16 | float16 | float32]",
    # Calls that the library rejects for every possible dtype.
    "torch.mean(n)": "promo-undefined",
    "jax.lax.add(x, k)": "promo-undefined",
    "n.mean()": "promo-undefined",
    "np.bitwise_and(a, i)": "promo-undefined",
    # The same for all integers that JAX has without x64.
    "jnp.bitwise_and(k, any_array())": "Array[int32]",
}
FUNCTIONS = """\
def unknown_tensor() -> Tensor: ...
def any_array() -> jax.Array: ...
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    folder = tmp_path_factory.mktemp("calls")
    lines = "".join(f"reveal_type({call})\n" for call in CALLS)
    (folder / "single_calls.py").write_text(HEAD + FUNCTIONS + lines)
    return run_mypy(folder, "single_calls.py", cache=plugin_cache, settings='disable_error_code = ["empty-body"]')


@pytest.mark.parametrize("call", CALLS)
def test_call(call: str, run: Run) -> None:
    line = (HEAD + FUNCTIONS).count("\n") + 1 + list(CALLS).index(call)
    errors = [message.code for message in run.errors() if message.line == line]
    found = run.revealed()[line] if not errors else ", ".join(filter(None, errors))
    assert found == CALLS[call]
