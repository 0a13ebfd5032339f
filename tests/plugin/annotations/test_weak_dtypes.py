"""Weak dtypes in annotations are those that the plugin infers, and messages name a weak dtype once."""

import sys
from pathlib import Path
from typing import Any

from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

PROGRAM = """\
from typing import TypeVar, assert_type
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float32
T = TypeVar("T")
w = jnp.asarray(1.0)
assert_type(w, "jax.Array[weak_float32]")
def strong(x: Float32[Array, ""]) -> Float32[Array, ""]:
    return x * w
def weak(x: "jax.Array[weak_float32]") -> "jax.Array[weak_float32]":
    return x * 2.0
def same(x: T) -> T:
    return x
assert_type(weak(same(weak(w))), "jax.Array[weak_float32]")
weak(strong(w))
both = [w, strong(w)]
reveal_type(both)
reveal_type(both[0] * jnp.zeros(3, jnp.bfloat16))
"""


def test_weak_dtypes(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jaxtyping")
    (tmp_path / "program.py").write_text("from promo_mypy.rules.dtypes import weak_float32\n" + PROGRAM)
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert [(error.line, error.text) for error in run.errors()] == [
        (16, 'Argument 1 to "weak" has incompatible type "Array[float32]"; expected "Array[weak_float32]"')
    ]
    assert run.revealed() == {18: "list[Array[float32 | weak_float32]]", 19: "Array[bfloat16 | float32]"}


def test_jax_gives_the_same_dtypes() -> None:
    """The dtypes that JAX gives the same list."""
    jnp = imported("jax.numpy")

    both = [jnp.asarray(1.0), jnp.zeros((), jnp.float32)]
    found = [each * jnp.zeros(3, jnp.bfloat16) for each in both]
    assert [each.weak_type for each in both] == [True, False]
    assert [str(each.dtype) for each in found] == ["bfloat16", "float32"]


DECLARED = """\
import jax.numpy as jnp
from jaxtyping import Array, Complex64, Float32, Int32, Num
half = jnp.zeros(3, jnp.float16)
z: Complex64[Array, ""] = jnp.asarray(1j)
x: Float32[Array, ""] = jnp.asarray(1.0)
n: Num[Array, ""] = jnp.asarray(1)
s: Float32[Array, "n"] = half.astype(jnp.float32)
def scaled() -> None:
    y: Float32[Array, ""] = jnp.asarray(2.0)
    reveal_type(y * half)
    reveal_type(x * half)
    y = jnp.ones(())
    reveal_type(y * half)
scaled()
class Scale:
    def __init__(self) -> None:
        self.by: Int32[Array, ""] = jnp.asarray(2)
        reveal_type(self.by * jnp.zeros(3, jnp.int8))
Scale()
reveal_type(z * half)
reveal_type(x * half)
reveal_type(n)
reveal_type(s * half)
wrong: Float32[Array, ""] = jnp.asarray(1)  # E
"""


def test_a_weak_value_of_a_declared_variable_stays_weak(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jaxtyping")
    found: dict[int, str] = {}

    def reveal_type(value: Any) -> None:
        found[sys._getframe(1).f_lineno] = f"{'weak_' if value.weak_type else ''}{value.dtype}"

    imported("jax")
    exec(DECLARED, {"reveal_type": reveal_type})
    (tmp_path / "program.py").write_text(DECLARED)
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert [(error.line, error.code) for error in run.errors()] == [(24, "assignment")]
    assert run.revealed() == {line: f"Array[{dtype}]" for line, dtype in found.items()}
