"""Calls of JAX's scalar types, which are Any to mypy, in every place where a program may have them."""

from pathlib import Path

import pytest

from tests.mypy_runs import override, run_mypy
from tests.needed import needs

needs("jax", "jaxtyping")

PROGRAM = """\
import jax.numpy as jnp
from jax.numpy import float16 as half
from jaxtyping import Array, Float32
FIRST = jnp.bfloat16(1)
reveal_type(FIRST)  # Array[bfloat16]
def f(x: Float32[Array, "n"]) -> None:
    reveal_type(jnp.float16(3) * x)  # Array[float32]
    reveal_type(half(x))  # Array[float16]
    y = jnp.int8(x)
    reveal_type(y)  # Array[int8]
    dtypes = {"a": jnp.float32, "b": jnp.float16}
    reveal_type(dtypes["a"](x))  # Any
    reveal_type(jnp.float32)  # Any
    z: jnp.dtype = jnp.float32
def unannotated():
    return jnp.float32(1)
"""


def test_calls(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "scalar_types.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "scalar_types.py", cache=plugin_cache)
    promised = {number: line.partition("# ")[2] for number, line in enumerate(PROGRAM.splitlines(), 1) if "# " in line}
    assert run.revealed() == promised
    assert [message.code for message in run.errors()] == ["no-untyped-def"]


def test_a_file_without_annotations(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "scalar_only.py").write_text("import jax.numpy as jnp\nx = jnp.float32(1)\nreveal_type(x)\n")
    assert run_mypy(tmp_path, "scalar_only.py", cache=plugin_cache).revealed() == {3: "Array[float32]"}


@pytest.mark.parametrize(("x64", "dtype", "reported"), [("false", "float32", True), ("true", "float64", False)])
def test_scalar_types_of_64_bits_follow_x64(
    x64: str, dtype: str, reported: bool, tmp_path: Path, plugin_cache: Path
) -> None:
    (tmp_path / "scalar_wide.py").write_text("import jax.numpy as jnp\nx = jnp.float64(1)\nreveal_type(x)\n")
    options = override("scalar_wide", f"jax_enable_x64 = {x64}")
    run = run_mypy(tmp_path, "scalar_wide.py", cache=plugin_cache, options=options)
    assert run.revealed() == {3: f"Array[{dtype}]"}
    assert [message.code for message in run.errors()] == ["promo-truncation"] * reported
