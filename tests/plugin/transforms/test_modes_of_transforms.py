"""Jitted functions, updates and dtype constants in a library from mypy's cache, and in the daemon."""

from pathlib import Path

import pytest

from tests.mypy_runs import Run, run_dmypy, run_mypy
from tests.needed import needs

needs("jax", "jaxtyping")

LIBRARY = """\
from functools import partial
from typing import Final
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float16, Float32
JAX_DTYPE = jnp.float16
NUMPY_DTYPE = np.float16
NAME: Final = "float16"
later = partial(jax.jit, static_argnums=1)
with_options = jax.jit(static_argnums=1)
second = partial(jax.grad, argnums=1)
@later
def f(x: Float32[Array, "n"], n: int) -> Float16[Array, "n"]:
    return x.astype(JAX_DTYPE)
class Model:
    @jax.jit
    def apply(self, x: Float32[Array, "n"]) -> Float16[Array, "n"]:
        return x.astype(NAME)
"""

PROGRAM = """\
from typing import Any
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float16, Float32
from modes_of_transforms_library import JAX_DTYPE, NAME, NUMPY_DTYPE, Model, f, later, second, with_options
OWN = jnp.float16
def plain(x: Float32[Array, "n"]) -> Float32[Array, "n"]:
    return x
def product(x: Float32[Array, "n"], y: Float16[Array, "n"]) -> Float32[Array, ""]:
    return (x * y).sum()
def use(m: Model, x: Float32[Array, "n"], a: Any) -> None:
    reveal_type(f(x, 1))
    reveal_type(m.apply(x))
    reveal_type(later(plain)(x))
    reveal_type(with_options(plain)(x))
    reveal_type(x.at[0].set(1))
    reveal_type(x.astype(NUMPY_DTYPE))
    reveal_type(x.astype(NAME))
    reveal_type(x.astype(OWN))
    reveal_type(x.astype(JAX_DTYPE))
    reveal_type(second(product)(x, x.astype(NAME)))
    f.lower(x, 1)
    f(x.astype(NAME), 1)
"""

REVEALED = [
    "Array[float16]",
    "Array[float16]",
    "Array[float32]",
    "Array[float32]",
    "Array[float32]",
    "Array[float16]",
    "Array[float16]",
    "Array[float16]",
    # The module with the assignment may come from the cache, without a syntax tree: unknown, in every mode of mypy.
    "Array[Any]",
    "Array[float16]",
]


def revealed(run: Run) -> list[str]:
    assert [error.code for error in run.errors()] == ["arg-type"], run.output
    return [typ for _, typ in sorted(run.revealed().items())]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "modes_of_transforms_library.py").write_text(LIBRARY)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def test_cold_and_half_warm(project: Path, plugin_cache: Path) -> None:
    assert revealed(run_mypy(project, "program.py", cache=plugin_cache)) == REVEALED
    (project / "program.py").write_text(PROGRAM + "# one more line\n")
    assert revealed(run_mypy(project, "program.py", cache=plugin_cache)) == REVEALED


def test_daemon_sees_a_constant_change(project: Path, plugin_cache: Path) -> None:
    """A constant of type Any is the same to the daemon before and after; its own file is read again."""

    def check() -> Run:
        flags = ("--cache-dir", str(plugin_cache), "--no-color-output")
        return run_dmypy(project, "run", "--", *flags, "program.py")

    run_mypy(project, "program.py", cache=plugin_cache)  # writes the configuration
    try:
        assert revealed(check()) == REVEALED
        (project / "program.py").write_text(PROGRAM.replace("OWN = jnp.float16", "OWN = jnp.bfloat16"))
        assert revealed(check())[7] == "Array[bfloat16]"
    finally:
        run_dmypy(project, "kill")
