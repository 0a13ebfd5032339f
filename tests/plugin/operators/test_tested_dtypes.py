"""A condition about a dtype narrows the array in the blocks that it leads to: to the dtypes that get there.

Each function is called with an array of every dtype that its parameter may have.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt
from tests.mypy_runs import Run, run_mypy
from tests.needed import imported, needs
from tests.plugin.calls.cases import loaded
from tests.plugin.calls.whole_programs import dtypes_shown

PROGRAM: Final = Path(__file__).parent / "tested_dtypes.py.txt"
#: What is known of an array of unknown dtype, and what mypy must report in a function that relies on a condition.
FURTHER: Final = """\
import jax.numpy as jnp
import torch
from jaxtyping import Array, BFloat16, Float, Float32, Inexact, Num
from torch import Tensor, nn
def unknown(x: Tensor, y: Array) -> None:
    if x.dtype == torch.float16:
        reveal_type(x)  # Tensor[float16]
    else:
        reveal_type(x)  # Tensor[Any]
    assert y.dtype == jnp.bfloat16
    reveal_type(y)  # Array[bfloat16]
def real(x: Inexact[Array, "n"]) -> Float[Array, "n"]:
    if jnp.iscomplexobj(x):
        return x.real
    return x
def not_all(x: Num[Array, "n"]) -> Float[Array, "n"]:
    if jnp.issubdtype(x.dtype, jnp.integer):
        raise TypeError(x.dtype)
    return x  # error
def product(x: Tensor, w: Float32[Tensor, "n"]) -> Tensor:
    if x.dtype == torch.float16:
        return x @ w  # error
    if x.dtype is not torch.float32:
        x = x.float()
    return x @ w
def chosen(x: Num[Array, "n"]) -> Float[Array, "n"]:
    return x if jnp.issubdtype(x.dtype, jnp.floating) else x.astype(jnp.float32)
def badly_chosen(x: Num[Array, "n"]) -> Float[Array, "n"]:
    return x.astype(jnp.float32) if jnp.issubdtype(x.dtype, jnp.integer) else x  # error
def unreadable(x: Num[Array, "n"], other: Array) -> None:
    if x.dtype == other.dtype:
        reveal_type(x)  # Array[Num]
    dtype = x.dtype
    x = other
    if dtype == jnp.float32:
        reveal_type(x)  # Array[Num]
def parameter(x: Tensor, p: nn.Parameter) -> nn.Parameter:
    if x.dtype == torch.float32 and isinstance(x, nn.Parameter):
        return x
    if p.dtype == torch.float16 and p.sum() > 0:
        return p
    return x  # error
def optional(x: Tensor | None) -> Tensor:
    if x is not None and x.dtype == torch.float32 and x.grad is not None and x.sum() > 0:
        return x.grad + 1
    if x is not None and x.dtype == torch.float16 and (y := x * 2) is not None:
        reveal_type(y)  # Tensor[float16]
        return x.grad + y  # error
    return x if x is not None and isinstance(x, nn.Parameter) else torch.ones(3)
def multiplied(x: Tensor, w: Float32[Tensor, "n"]) -> bool:
    if x.dtype == torch.float16 and (x @ w).any():  # error
        return True
    return x.dtype == torch.float32 and bool((x @ w).any())
def impossible(x: BFloat16[Tensor, "n"], w: Float32[Tensor, "n"], y: Float32[Array, "n"]) -> None:
    x.numpy() if x.dtype != torch.bfloat16 else x.float().numpy()
    if x.dtype == torch.float32:
        x @ w
    if y.dtype == jnp.int32:
        y << 2
    y << 2  # error
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    needs("jax", "jaxtyping", "torch")
    folder = tmp_path_factory.mktemp("tested")
    (folder / "program.py").write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    return run_mypy(folder, "program.py", cache=plugin_cache, settings="warn_unreachable = true")


def shown(typ: str) -> set[str]:
    """The dtypes in a revealed type, in place of their categories."""
    named = (dt.DTYPES.get(name.removesuffix("_")) or getattr(dt, name) for name in dtypes_shown(typ))
    return {each.name for category in named for each in categories.members(category)}


def argument(function: str, dtype: str) -> Any:
    library = function.partition("_")[0]
    if library == "numpy":
        return np.ones(3, dtype)
    if library == "torch":
        torch = imported("torch")
        return torch.ones(3, dtype=getattr(torch, dtype))
    return imported("jax.numpy").ones(3, dtype)


def executed(declared: Mapping[int, set[str]]) -> Iterator[tuple[int, str]]:
    """Each line of a `reveal_type` with a dtype that gets there. `declared`: line -> the dtypes that are shown."""
    jax, torch = imported("jax"), imported("torch")
    seen: dict[int, str] = {}
    names, seen = loaded(PROGRAM, lambda value: str(getattr(value.dtype, "name", value.dtype)).removeprefix("torch."))
    functions: dict[str, Callable[[Any], None]] = {
        name: function for name, function in names.items() if name.partition("_")[0] in ("jax", "torch", "numpy")
    }
    with jax.enable_x64(True), torch.no_grad():
        for name, function in functions.items():
            if not inspect.isfunction(function):
                continue
            first = next(line for line in sorted(declared) if line > function.__code__.co_firstlineno)
            for dtype in declared[first]:
                seen.clear()
                function(argument(name, dtype))
                yield from seen.items()


def test_a_block_has_the_dtypes_that_get_there(run: Run) -> None:
    declared = {line: shown(typ) for line, typ in run.revealed().items()}
    found: dict[int, set[str]] = {}
    for line, dtype in executed(declared):
        found.setdefault(line, set()).add(dtype)
    unreached = declared.keys() - found.keys()
    assert {line: (declared[line], dtypes) for line, dtypes in found.items() if declared[line] != dtypes} == {}
    assert len(unreached) == 1  # after the assertion
    assert run.errors() == []


def test_other_arrays_and_errors(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping", "torch")
    (tmp_path / "further.py").write_text(FURTHER, encoding="utf-8")
    run = run_mypy(tmp_path, "further.py", cache=plugin_cache)
    lines = {number: line.partition("# ")[2] for number, line in enumerate(FURTHER.splitlines(), 1) if "# " in line}
    assert run.revealed() == {line: typ for line, typ in lines.items() if typ != "error"}
    assert [error.line for error in run.errors()] == [line for line, typ in lines.items() if typ == "error"]
