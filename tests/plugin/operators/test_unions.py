"""Unions of array types, as variables have after a branch: each member counts, on either side of an operator."""

import re
from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

PROGRAM = """\
import numpy as np
import numpy.typing as npt
F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
DT = npt.NDArray[np.datetime64]
def f(both: F32 | F64, single: F32, number: int, moments: F32 | DT) -> None:
    reveal_type(1 - both)  # float32 | float64
    reveal_type(both - 1)  # float32 | float64
    reveal_type(single - both)  # float32 | float64
    reveal_type(both - both)  # float32 | float64
    reveal_type(1 < both)  # bool
    reveal_type(single < both)  # bool
    reveal_type(1 == both)  # bool
    reveal_type(number**single)  # float32
    reveal_type(max(single, single))  # float32
    sum([single, single])
    single - moments
    moments - moments
"""


SPELLINGS = {
    "floating[numpy._typing._nbit_base._32Bit]": "float32",
    "float64": "float64",
    "bool[bool]": "bool",
}
OWN = re.compile(r"(?:Array|Tensor)\[(\w+)\]")
DTYPE = re.compile(r"numpy\.dtype\[numpy\.((?:[^\[\]]|\[[^\[\]]*\])*)\]")


def test_each_member_counts(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    (tmp_path / "unions.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "unions.py", cache=plugin_cache)
    wanted = {number: line.partition("# ")[2] for number, line in enumerate(PROGRAM.splitlines(), 1) if "# " in line}
    shown = {
        number: " | ".join(SPELLINGS[name] for name in DTYPE.findall(typ)) for number, typ in run.revealed().items()
    }
    assert shown == wanted
    # The rules have no datetime64: NumPy's overloads reject it, member by member, as they do without the plugin.
    stock = run_mypy(tmp_path, "unions.py", cache=stock_cache, plugin=False)
    assert [(error.line, error.text) for error in run.errors()] == [(e.line, e.text) for e in stock.errors()]
    assert len(run.errors()) == 3


# Every member of the union on the right counts, for every operator.
TWO_DTYPES = """\
import jax
import torch
from jaxtyping import Array, BFloat16, Float16, Float32, Int8
def jax_arrays(x: Int8[Array, "n"], y: Float32[Array, "n"] | Float16[Array, "n"], z: Float16[Array, "n"]) -> None:
    reveal_type(x * y)  # float32 | float16
    reveal_type(z - y)  # float32 | float16
    reveal_type(2 / y)  # float32 | float16
    reveal_type(y**2.0)  # float32 | float16
    reveal_type(y @ y)  # float32 | float16
    reveal_type(x < y)  # bool
    reveal_type(1 >= y)  # bool
    reveal_type(x == y)  # bool
    reveal_type(y != y)  # bool
def tensors(x: Int8[torch.Tensor, "n"], y: Float32[torch.Tensor, "n"] | BFloat16[torch.Tensor, "n"]) -> None:
    reveal_type(x * y)  # float32 | bfloat16
    reveal_type(x - y)  # float32 | bfloat16
    reveal_type(2 / y)  # float32 | bfloat16
    reveal_type(2**y)  # float32 | bfloat16
    reveal_type(y // y)  # float32 | bfloat16
    reveal_type(x < y)  # bool
    reveal_type(x == y)  # bool
    reveal_type(y != 1)  # bool
"""


def test_each_member_counts_in_jax_and_torch(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "torch", "jaxtyping")
    (tmp_path / "unions.py").write_text(TWO_DTYPES)
    run = run_mypy(tmp_path, "unions.py", cache=plugin_cache)
    wanted = {
        n: set(line.partition("# ")[2].split(" | "))
        for n, line in enumerate(TWO_DTYPES.splitlines(), 1)
        if "# " in line
    }
    shown = {number: {name.rstrip("_") for name in OWN.findall(typ)} for number, typ in run.revealed().items()}
    assert shown == wanted
    assert not run.errors()


# `ArrayLike` contains numpy.bool and arrays of any dtype: their dtypes are unknown, so the plugin reports nothing.
OF_ANY_DTYPE = """\
import numpy as np
from jax.typing import ArrayLike
def f(a: ArrayLike, b: ArrayLike, both: np.bool | np.float32) -> None:
    a - b
    a | b
    -a
    a << 1.5
    a -= b
    a**-2
    np.bool(1) << 1.5
    both << 1.5
"""


def test_one_known_member_does_not_decide_for_the_union(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs("jax")
    (tmp_path / "unions.py").write_text(OF_ANY_DTYPE)
    run = run_mypy(tmp_path, "unions.py", cache=plugin_cache)
    assert sorted({error.line for error in run.errors() if error.code == "promo-undefined"}) == [10, 11]
    stock = run_mypy(tmp_path, "unions.py", cache=stock_cache, plugin=False)
    before = {(error.line, error.code) for error in stock.errors() if error.line < 10}
    assert {(error.line, error.code) for error in run.errors() if error.line < 10} == before
    assert {line for line, _ in before} == {4, 5, 6, 7, 8}


# A display, a branch or a generic function joins two dtypes: which of them meets the operator is unknown. An annotation
# says that both may.
JOINED = """\
import torch
from jaxtyping import Bool, Float32
def f(x: Bool[torch.Tensor, "n"], y: Float32[torch.Tensor, "n"], flag: bool) -> None:
    ({"a": x} | {"b": y})["b"] ** x
    {"a": x}.get("b", y) ** x
    max([x, y], key=len) ** x
    [x, y][1] ** x
    (x if flag else y) ** x
    {"a": x}.get("b", x) ** x  # bool
def g(p: Bool[torch.Tensor, "n"] | Float32[torch.Tensor, "n"], x: Bool[torch.Tensor, "n"]) -> None:
    p ** x  # bool
    ps = [p]
    ps[0] ** x  # bool
def h(ps: list[Bool[torch.Tensor, "n"] | Float32[torch.Tensor, "n"]], x: Bool[torch.Tensor, "n"]) -> None:
    ps[0] ** x  # bool
    ps.pop() ** x  # bool
"""


def test_a_joined_member_is_not_reported(tmp_path: Path, plugin_cache: Path) -> None:
    needs("torch", "jaxtyping")
    (tmp_path / "unions.py").write_text(JOINED)
    run = run_mypy(tmp_path, "unions.py", cache=plugin_cache)
    wanted = [number for number, line in enumerate(JOINED.splitlines(), 1) if "# " in line]
    assert [error.line for error in run.errors()] == wanted
