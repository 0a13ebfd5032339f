"""Recursive aliases (trees, nested lists): code that takes types apart terminates."""

import ast
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

import pytest

from promo_mypy.port.survey import survey
from promo_mypy.program.coverage import coverage
from promo_mypy.program.infer import infer
from tests.mypy_runs import ROOT, configuration, run_mypy
from tests.needed import needs
from tests.program.executed import infer_json

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


#: Aliases that contain themselves, as parameters, bounds, fields, results and items; generic ones, too.
UNTYPED = """\
from typing import Any, Callable, Dict, Generic, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type
from typing import TypeVar, Union

import numpy as np
import numpy.typing as npt

Tree = Union[int, Sequence["Tree"]]
Opt = Optional[List["Opt"]]
Items = Tuple["Items", ...]
Pair = Tuple[int, "Pair"]
Table = Mapping[str, Union["Table", Any]]
Function = Callable[[int], "Function"]
Both = Union[npt.NDArray[np.float32], Dict[str, "Other"]]
Other = Union[List[Both], Tuple[Both, ...]]
Nested = List["Nested"]
T = TypeVar("T")
Of = Union[T, List["Of[T]"]]
Bound = TypeVar("Bound", bound=Tree)
Arrays = TypeVar("Arrays", bound="Both")
Values = TypeVar("Values", Tree, Opt)

class Box(Generic[T]):
    content: T
    more: "List[Box[T]]"

class Row(NamedTuple):
    tree: Tree
    rest: "Sequence[Row]"

class Kept:
    tree: Tree = 1
    def __init__(self, tree: Tree, nested: Nested, pair: Pair, other=None):
        self.own, self.nested, self.pair, self.other = tree, nested, pair, other
    def used(self, x):
        return x * self.own + self.nested * x + self.other * self.tree, x[self.pair], np.where(x, self.pair, self.own)

def scaled(x, t: Tree):
    return x * t

def several(x, t: Opt, u: Items, p: Pair, m: Table, f: Function, b: Both, o: Other, n: Nested):
    y = x * t * u[0] + p * x + f(1)(2) + m["a"]
    return y, x @ b, np.add(x, p), np.where(x, b, o), n[0] * x, [x, p, n], (p, x), x[p], x[n]

def bounds(x, g: "Of[int]", h: "Of[npt.NDArray[np.float64]]", b: Bound, a: Arrays, v: Values) -> Bound:
    y = x * b + a * 2 + x * v + g
    return b if isinstance(h, list) else b

def fields(x, box: Box[Tree], pairs: Box[Pair], row: Row, k: Type[Tree]):
    return x * box.content, box.more[0].content * x, row.rest[0].tree * x, pairs.content * x, x[pairs.content]

def made(n) -> Tree:
    return n

def calls(x, p: Pair, t: Tree, n: Nested):
    kept = Kept(made(1), n, p)
    y = kept.used(x) * made(2)
    for each in made(3):
        y = y * each
    for each in p:
        y += each
    z = np.zeros(made(3)) + np.asarray(t) * np.array(n) + np.asarray(p) * np.zeros(p)
    of_tree = lambda a: a * t
    several(x, n, p, p, n, of_tree, t, t, n), scaled(np.zeros(3), t), scaled(p, p), bounds(x, t, t, t, t, t)
    found = {"a": p, "b": t}
    found["c"] = x
    items = [p, x, t]
    items.append(z)
    return z * t, [each for each in p], np.stack(p), sum(p), max(p), y, found, items, p if x else z, p and z
"""


@pytest.mark.slow
def test_untyped_code_around_recursive_aliases_is_inferred(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin_cache: Path
) -> None:
    (tmp_path / "aliases.py").write_text(UNTYPED)
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    monkeypatch.chdir(tmp_path)
    paths = [Path("aliases.py")]
    assert not infer(paths).left_out
    counted = coverage(paths)
    assert not counted.left_out
    assert counted.counts.total > 20
    assert not survey(paths, "numpy", "torch").left_out


#: Walks that need not look for such aliases, with the reason.
ENDING = {
    "_by_type": "the parts of a union, and the result of a class",
    "_classes_of": "an expression",
    "_instances": "the bound of a type variable",
    "_is_chosen": "the values of a type variable",
    "_is_option_type": "the parts of a union",
    "_is_plain": "the parts of a union as it is written",
    "_keeps_dtype": "the modules in a layer",
    "_leaves": "the leaves of a tree: `pytrees` looks",
    "_or_numpy_array": "`_with_parts` looks",
    "_replaced": "the parts of a union",
    "_stored": "the targets that are written out",
    "_type_of": "a definition",
    "_with_given": "two promotions",
    "_with_unknown_dtypes": "a display",
    "_without_numpy_array": "`_with_parts` looks",
    "_wrapped": "a function",
    "_any_item": "a display",
    "classes_in": "the parts of a union",
    "dtype_text": "an expression",
    "dtypes_of_argument": "the parts of a union",
    "dtypes_of_scalar": "the parts of a union",
    "holds_module": "it looks itself: its room has no such function",
    "number": "an expression",
    "read": "the parts of a union",
}


#: The functions of `promo_mypy.plugin.types.walks`: one of these is in each walk over types.
APART = {"contains_itself", "items_of", "opened", "parts_of", "with_items", "with_parts"}
PROPER = {"get_proper_type", "get_proper_types", "members"}


def unguarded_walks(text: str, *, by_others: bool) -> set[str]:
    """Functions that look at types and call themselves, perhaps by others of the module, without one of `APART`."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    used = {each.name: set(used_names(each)) for each in functions}
    calls = {name: names & used.keys() for name, names in used.items() if not names & APART}
    found = {name for name in calls if name in (reached(name, calls) if by_others else calls[name])}
    return {name for name in found if used[name] & PROPER}


def used_names(function: ast.FunctionDef) -> Iterator[str]:
    """Names, and methods of `self`, in a function."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node.attr


def reached(start: str, calls: Mapping[str, Set[str]]) -> set[str]:
    """The functions that a function calls, and those that these call."""
    found: set[str] = set()
    following = [start]
    while following:
        new = calls.get(following.pop(), frozenset()) - found
        found |= new
        following += new
    return found


def test_every_walk_over_types_ends() -> None:
    found: set[str] = set()
    for file in (ROOT / "promo_mypy").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if "mypy.types" in text:  # in other rooms, functions that call each other take expressions apart
            found |= unguarded_walks(text, by_others=file.parent.name == "types")
    assert found == ENDING.keys()


def test_a_walk_that_may_not_end_is_found() -> None:
    guarded = "def holds(typ):\n    return any(map(holds, items_of(get_proper_type(typ))))\n"
    assert not unguarded_walks(guarded, by_others=True)
    without = guarded.replace("items_of(get_proper_type(typ))", "get_proper_type(typ).items")
    assert unguarded_walks(without, by_others=False) == {"holds"}
    by_another = (
        "def holds(typ):\n    return other(get_proper_type(typ))\ndef other(typ):\n    return holds(typ.item)\n"
    )
    assert unguarded_walks(by_another, by_others=True) == {"holds"}
