"""Recursive aliases (trees, nested lists): code that takes types apart terminates."""

from pathlib import Path

from tests.inference.executed import infer_json
from tests.mypy_runs import configuration, run_mypy
from tests.needed import needs

PROGRAM = """\
import functools
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, Union

import jax
import jax.numpy as jnp
import numpy as np
import torch
from jaxtyping import Array, Float32

Tree: TypeAlias = Union[Array, Iterable["Tree"], Mapping[Any, "Tree"]]
Nested: TypeAlias = "list[float | Nested]"
Deep: TypeAlias = "list[Deep]"
Table: TypeAlias = "dict[str, Table]"
Pair: TypeAlias = "tuple[Float32[Array, 'n'], Pair | None]"
Endless: TypeAlias = "tuple[Float32[Array, 'n'], Endless]"

class Node(NamedTuple):
    value: Float32[Array, "n"]
    child: "Node | None"

class Plain(NamedTuple):
    child: "Plain | None"
    others: "tuple[Plain, ...]"

@jax.jit
def of_tree(tree: Tree, pair: Pair) -> Tree:
    return tree

@functools.partial(jax.jit, static_argnums=0)
def of_node(node: Node, deep: Deep, table: Table, endless: Endless) -> Node:
    return node

class Layer(torch.nn.Module):
    def forward(self, x: Plain, tree: Tree) -> Plain:
        return x

def calls(
    tree: Tree, nested: Nested, deep: Deep, table: Table, pair: Pair, endless: Endless, node: Node, plain: Plain,
    x: Float32[Array, "n"], layer: Layer,
) -> None:
    of_tree(tree, pair)
    of_node(node, deep, table, endless)
    layer(plain, tree)
    np.array(nested), np.array(deep), np.asarray(table), np.sum(nested), np.add(deep, 1), np.where(True, nested, deep)
    np.einsum("i,i", endless, deep)
    np.zeros(3)[endless], np.zeros(3) + nested, np.zeros(3) * deep
    jnp.array(nested), jnp.array(deep), jnp.zeros(endless), x.reshape(endless), x[endless]
    torch.tensor(deep), torch.tensor(nested)
    jax.tree.map(lambda v: v, tree), jax.tree.map(lambda v: v, nested), jax.tree.map(lambda v: v, deep)
    jax.tree.map(lambda v: v, table), jax.tree.map(lambda v: v, pair), jax.tree.map(lambda v: v, endless)
    jax.tree.map(lambda v: v, node), jax.tree.map(lambda v: v, (x, plain))
    jax.device_put(endless), jax.block_until_ready(table)
    jax.lax.scan(lambda c, v: (c, v), endless, x), jax.lax.scan(lambda c, v: (c, v), (x, table, deep), x)
    jax.lax.cond(True, lambda a: a, lambda a: a, endless)
    jax.grad(lambda e: x.sum())(endless), jax.vmap(lambda e: x)(endless)
    for each in (nested, deep):
        np.stack(each), np.concatenate(each), torch.stack(each), torch.cat(each), jnp.stack(each)
"""


def test_recursive_aliases_terminate(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs("jax", "torch", "jaxtyping")
    (tmp_path / "aliases.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "aliases.py", cache=plugin_cache)
    stock = run_mypy(tmp_path, "aliases.py", cache=stock_cache, plugin=False)
    assert {(error.line, error.code) for error in run.errors()} <= {
        (error.line, error.code) for error in stock.errors()
    }
    assert len(run.errors()) > 3
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    inferred = infer_json(tmp_path, "aliases.py")["expressions"]
    assert {"float32"} in [{each["dtype"]} for each in inferred if isinstance(each["dtype"], str)]
