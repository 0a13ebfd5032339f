"""If a named field of a tree changes, the tree no longer has the type that its class declares: it is unknown.

Programs that keep the fields are executed in `executed/structures.py.txt`.
"""

from pathlib import Path
from typing import Any

from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

HEADER = """\
from typing import NamedTuple
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jaxtyping import Array, BFloat16, Float32
class Affine(NamedTuple):
    weights: Float32[Array, "3"]
    bias: BFloat16[Array, "3"]
class Host(NamedTuple):
    samples: npt.NDArray[np.float64]
class Layer(eqx.Module):
    weights: Float32[Array, "3"]
class Sized(eqx.Module):
    weights: Float32[Array, "3"]
    size: int
f32: Float32[Array, "3"] = jnp.ones(3, "float32")
affine = Affine(f32, f32.astype(jnp.bfloat16))
"""
#: Expression -> the dtype, or the type, that its class declares and that it no longer has.
CHANGED = {
    "jax.tree.map(lambda x: x.astype('float16'), affine).weights": "float32",
    "jax.tree.map(lambda x: x + f32, affine).bias": "bfloat16",
    "jax.tree.map(lambda x: x.astype('float16'), [Layer(f32)])[0].weights": "float32",
    "jax.tree.map(lambda x: x * f32, Sized(f32, 3)).size": "int",
    "jax.device_put(Host(np.ones(3))).samples": "float64",
    "jax.device_get(affine).weights": "Array",
    "jax.grad(lambda h: h.samples.sum())(Host(np.ones(3))).samples": "float64",
}


def test_a_changed_field_is_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    jax = imported("jax")
    needs("jaxtyping", "equinox")
    shown = "".join(f"reveal_type({expression})\n" for expression in CHANGED)
    (tmp_path / "program.py").write_text(HEADER + shown)
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert list(run.revealed().values()) == ["Any"] * len(CHANGED), run.output
    assert run.errors() == []
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(HEADER, namespace)
    with jax.enable_x64(False):
        for expression, declared in CHANGED.items():
            value = eval(expression, namespace)
            assert declared not in (str(value.dtype), type(value).__name__), expression


ENDLESS = """\
from __future__ import annotations
from typing import NamedTuple
import equinox as eqx
import jax
from jaxtyping import Array, Float32
class Pair(tuple[Float32[Array, "3"], Float32[Array, "3"]]): ...
class Branch(NamedTuple):
    value: Float32[Array, "3"]
    left: Branch | None
class Holder(NamedTuple):
    pair: Pair
    branch: Branch
class Node(eqx.Module):
    value: Float32[Array, "3"]
    children: list[Node]
class Outer(eqx.Module):
    inner: Node
    value: Float32[Array, "3"]
def of_pair(p: Pair) -> Float32[Array, ""]:
    return p[0].sum()
def of_branch(b: Branch) -> Float32[Array, ""]:
    return b.value.sum()
def of_holder(h: Holder) -> Float32[Array, ""]:
    return h.branch.value.sum()
def of_node(n: Node) -> Float32[Array, ""]:
    return n.value.sum()
def f(p: Pair, b: Branch, h: Holder, n: Node, o: Outer) -> None:
    jax.grad(of_pair)(p), jax.grad(of_branch)(b), jax.grad(of_holder)(h), jax.grad(of_node)(n)
    jax.vjp(of_branch, b), jax.vjp(of_node, n), jax.jvp(of_holder, (h,), (h,))
    for tree in (p, b, h, n, o):
        jax.tree.map(lambda x: x * 2, tree)
    jax.tree.map(lambda x: x * 2, p), jax.tree.map(lambda x: x * 2, b), jax.tree.map(lambda x: x * 2, h)
    jax.tree.map(lambda x: x * 2, n), jax.tree.map(lambda x: x * 2, [o])
    jax.device_put(n), jax.device_put(b), jax.device_get([h]), jax.device_get(o)
    jax.jit(lambda q: q.value)(n), jax.jit(lambda q: q.value)(b), jax.vmap(lambda q: q.branch)(h)
    jax.lax.fori_loop(0, 3, lambda i, q: q, n), jax.lax.fori_loop(0, 3, lambda i, q: q, b)
"""


def test_infinite_trees_are_unchanged(tmp_path: Path, plugin_cache: Path) -> None:
    """So are tuples of classes that JAX does not know as trees."""
    needs("jax", "jaxtyping", "equinox")
    (tmp_path / "endless.py").write_text(ENDLESS)
    assert run_mypy(tmp_path, "endless.py", cache=plugin_cache).errors() == []
