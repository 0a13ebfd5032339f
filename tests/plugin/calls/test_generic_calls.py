"""A generic function of the user gives the dtype of its argument, also where an array of any dtype is expected."""

from pathlib import Path
from typing import Final

from tests.examples.agreement import dtype_named
from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("torch", "jax", "jaxtyping")

PROGRAM: Final = """\
import copy
from typing import TypeVar
import jax
import jax.numpy as jnp
import torch
T = TypeVar("T")
def same(x: T) -> T:
    return x
def chosen(x: T, y: T) -> T:
    return x
class Keeper:
    def keep(self, x: T, times: int = 1) -> T:
        return x
class Derived(Keeper):
    pass
def take(x: torch.Tensor) -> torch.Tensor:
    return x
def take_some(x: torch.Tensor | None) -> None:
    pass
def main(x: torch.Tensor, h: jax.Array) -> None:
    half, wide = torch.ones(3).half(), jnp.ones(3, jnp.int8)
    torch.sin(reveal_type(same(half)))  # float16
    take(reveal_type(Derived().keep(half)))  # float16
    take_some(reveal_type(same(half)))  # float16
    take(reveal_type(copy.deepcopy(half)))  # float16
    jnp.sin(reveal_type(same(wide)))  # int8
    x = reveal_type(same(half))  # float16
    h = reveal_type(same(wide))  # int8
def quiet() -> None:
    several: list[torch.Tensor | None] = chosen([torch.ones(3)], [None])
    none: torch.Tensor | None = same(None)
    empty: list[torch.Tensor] = same([])
    either: torch.Tensor | None = chosen(torch.ones(3), None)
"""


def test_the_argument_decides(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "generic.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "generic.py", cache=plugin_cache)
    assert run.errors() == []
    wanted = {n: line.partition("# ")[2] for n, line in enumerate(PROGRAM.splitlines(), 1) if "reveal_type" in line}
    assert {line: dtype_named(shown) for line, shown in run.revealed().items()} == wanted
