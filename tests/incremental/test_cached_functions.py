"""Functions of another file, given to each transform: mypy says the same whether their bodies are at hand or not.

mypy writes no arguments, bodies and decorators of functions to its cache.
"""

from itertools import product
from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy, touch
from tests.needed import needs

pytestmark = pytest.mark.slow

_STEPS = """\
import functools
from typing import Any
import jax
import jax.numpy as jnp
from jaxtyping import Array, BFloat16, Float32


def plain(carry, x=1):
    return carry * 2, x


def half(carry: BFloat16[Array, "n"], x=1):
    return carry * 2, x


def array(carry: Array, x: Array | int = 1) -> Any:
    return carry * jnp.float32(2)


def named(carry, x=1):
    return {"a": carry["a"] * jnp.float32(2)}, x


def starred(*each):
    return each[0] * 2


@jax.jit
def compiled(carry, x=1):
    return carry * 2, x


@functools.partial(jax.jit, static_argnums=1)
def static(carry, x=1):
    return carry * 2


@functools.lru_cache
def stored(carry, x=1):
    return carry * 2


@jax.grad
def slope(carry, x=1):
    return (carry * 2).sum()


def made():
    def inner(carry, x=1):
        return carry * 2, x

    return inner


shared = lambda carry, x=1: (carry * 2, x)
bound = functools.partial(plain, x=2)
inner = made()


class Steps:
    def method(self, carry, x=1):
        return carry * 2, x

    @staticmethod
    def still(carry, x=1):
        return carry * 2, x

    @classmethod
    def whole(cls, carry, x=1):
        return carry * 2, x

    def __call__(self, carry, x=1):
        return carry * 2, x
"""
_FUNCTIONS = (
    *("plain", "half", "array", "named", "starred", "compiled", "static", "stored", "slope", "shared", "bound"),
    *("inner", "steps.made()", "steps.plain", "Steps().method", "Steps.still", "Steps.whole", "Steps()"),
    *("functools.partial(plain, x=2)", "functools.partial(half)", "lambda c, x=1: plain(c, x)"),
)
_TRANSFORMS = (
    "lax.scan({0}, c, xs)",
    "lax.scan({0}, tree, xs)",
    "lax.while_loop({0}, {0}, c)",
    "lax.fori_loop(0, 3, {0}, c)",
    "lax.fori_loop(0, 3, {0}, tree)",
    "lax.cond(True, {0}, {0}, c)",
    "lax.cond(True, {0}, {0}, tree)",
    "lax.switch(0, [{0}, {0}], c)",
    "lax.map({0}, xs)",
    "lax.associative_scan({0}, xs)",
    "lax.reduce(xs, 0.0, {0}, (0,))",
    "jax.jit({0})(c)",
    "jax.vmap({0})(xs)",
    "jax.grad({0})(c)",
    "jax.value_and_grad({0}, has_aux=True)(c)",
    "jax.jacfwd({0})(c)",
    "jax.hessian({0})(c)",
    "jax.jvp({0}, (c,), (c,))",
    "jax.vjp({0}, c)",
    "jax.linearize({0}, c)",
    "jax.checkpoint({0})(c)",
    "jax.eval_shape({0}, c)",
    "jax.tree.map({0}, tree)",
    "jax.tree_util.tree_map({0}, [c], [c])",
    "jax.pmap({0})(xs)",
    "np.apply_along_axis({0}, 0, v)",
    "np.apply_over_axes({0}, v, [0])",
    "np.vectorize({0})(v)",
    "np.frompyfunc({0}, 1, 1)(v)",
    "np.fromfunction({0}, (2, 2))",
    "np.piecewise(v, [v > 0], [{0}])",
    "functools.reduce({0}, [v, v])",
    "[*map({0}, [v])][0]",
    "sorted([v], key={0})",
    "{0}(c)",
    "{0}(v)",
)
_OTHERS = {
    "torch": (
        "torch.func.grad({0})(t)",
        "torch.func.vmap({0})(t)",
        "torch.func.jacrev({0})(t)",
        "torch.func.jvp({0}, (t,), (t,))",
        "torch.vmap({0})(t)",
        "torch.compile({0})(t)",
        "torch.utils.checkpoint.checkpoint({0}, t)",
    ),
    "dask": ("d.map_blocks({0})", "da.map_blocks({0}, d, dtype=np.float32)", "d.map_overlap({0}, depth=1)"),
}
_IMPORTS = """\
import functools
import dask.array as da
import jax
import numpy as np
import numpy.typing as npt
import torch
import torch.utils.checkpoint
from jax import lax
from jaxtyping import Array, BFloat16, Float32
import steps
from steps import Steps, array, bound, compiled, half, inner, named, plain, shared, slope, starred, static, stored


def run(
    c: BFloat16[Array, "n"], xs: Float32[Array, "n m"], v: npt.NDArray[np.float32], t: Float32[torch.Tensor, "n"],
    d: Float32[da.Array, "n"],
) -> None:
    tree = {"a": c}
"""


def test_they_are_read_in_their_own_file_alone(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping", "torch", "dask")
    transforms = (*_TRANSFORMS, *(each for rows in _OTHERS.values() for each in rows))
    calls = [transform.format(function) for transform, function in product(transforms, _FUNCTIONS)]
    (tmp_path / "steps.py").write_text(_STEPS)
    (tmp_path / "uses.py").write_text(_IMPORTS + "".join(f"    reveal_type({call})\n" for call in calls))
    settings = "disallow_untyped_defs = false\ndisallow_untyped_calls = false\ndisallow_untyped_decorators = false"
    cold, warm = (_checked(tmp_path, plugin_cache, settings) for _ in range(2))
    assert cold == warm
    assert len(cold) >= len(calls)


def _checked(folder: Path, cache: Path, settings: str) -> list[str]:
    """What mypy says about the file that uses the functions, which has changed. It knows the others if it can."""
    touch(folder / "uses.py", 2)
    run = run_mypy(folder, "uses.py", "steps.py", cache=cache, settings=settings)
    return [line for line in run.lines() if "uses.py" in line]
