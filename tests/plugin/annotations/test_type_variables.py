"""Values of a type variable for arrays: mypy asks no hook about them, so that the library's stubs decide."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs

NUMPY = """\
import numpy as np
import numpy.typing as npt
from typing import Any, TypeVar

Exact = TypeVar("Exact", bound="npt.NDArray[np.float32]")
Any_ = TypeVar("Any_", bound="np.ndarray[Any, np.dtype[Any]]")
Either = TypeVar("Either", float, "npt.NDArray[np.float64]")
Union = TypeVar("Union", bound="float | npt.NDArray[np.float64]")

def bounds(a: Exact, b: Any_, u: Union) -> None:
    reveal_type(a * a)
    reveal_type(2 * a)
    reveal_type(2 * b)
    reveal_type(2.0 - b)
    reveal_type(a < a)
    reveal_type(1 < a)
    reveal_type(1 == a)
    reveal_type(b < 1)
    reveal_type(-a)
    reveal_type(abs(a))
    reveal_type(2 * u)
    reveal_type(u * 2)
    reveal_type(1 < u)
    reveal_type(np.ones(3) * a)
    reveal_type(a * np.ones(3))
    a + "text"
    a += 1
    u < u

def values(c: Either) -> Either:
    2 * c
    1 < c
    c == c
    return c

class Own(np.ndarray[Any, np.dtype[np.float32]]):
    def __lt__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> Any: ...
"""

OTHERS = """\
import jax
import torch
from typing import Any, TypeVar
from jaxtyping import Array, Float32

OneJax = TypeVar("OneJax", bound="Float32[Array, '']")
OneTensor = TypeVar("OneTensor", bound="Float32[torch.Tensor, '']")

def bounds(j: OneJax, t: OneTensor) -> None:
    2 * j
    j * 2
    1 < j
    j == j
    j < "text"
    2 * t
    t * 2
    t < t
    1 == t
    t < "text"

class Own(torch.Tensor):
    def __lt__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
"""


def _both(folder: Path, program: str, plugin_cache: Path, stock_cache: Path) -> tuple[list[str], list[str]]:
    (folder / "variables.py").write_text(program)
    ours = run_mypy(folder, "variables.py", cache=plugin_cache)
    stock = run_mypy(folder, "variables.py", cache=stock_cache, plugin=False)
    return [f"{m.line}: {m.text}" for m in ours.messages], [f"{m.line}: {m.text}" for m in stock.messages]


@pytest.mark.slow
def test_numpy_is_as_without_the_plugin(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    ours, stock = _both(tmp_path, NUMPY, plugin_cache, stock_cache)
    assert ours == stock
    assert sum("Revealed type" in line for line in stock) == 15
    assert sum("error" in message or "Unsupported" in message for message in stock) >= 1


def test_jax_and_torch_are_as_without_the_plugin(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs("jax", "torch", "jaxtyping")
    ours, stock = _both(tmp_path, OTHERS, plugin_cache, stock_cache)
    assert [line.partition(":")[0] for line in ours] == [line.partition(":")[0] for line in stock]
    assert sum("Unsupported operand types" in line for line in ours) == 2, ours


CHECKED_TWICE = """\
import numpy as np
import torch
from collections.abc import Sequence
from jaxtyping import Float32
from typing import TypeVar

Number = TypeVar("Number", int, float)
Text = TypeVar("Text", str, bytes)

def rebound(x: Number, t: Float32[torch.Tensor, "3"], several: Sequence[Float32[torch.Tensor, "3"]]) -> Number:
    a = np.zeros(3, np.float32)
    a = a.astype(np.float64)
    reveal_type(a)  # float64
    for each in several:
        b = each
        b = b.double()
    u, v = t, t.half()
    u, v = v, u
    reveal_type(u)  # float16
    arrays = [t]
    arrays.append(t.half())
    total = t
    total = total + np.float64(1)
    return x

class Model:
    def __init__(self) -> None:
        self.mean = np.zeros(3, np.float32)

    def named(self, name: Text, t: Float32[torch.Tensor, "3"]) -> Text:
        scale = t
        scale = scale.bfloat16()
        reveal_type(scale)  # bfloat16
        reveal_type(self.mean)  # float32
        def inner(count: Number) -> Number:
            c = t
            c = c.half()
            reveal_type(c)  # float16
            return count
        return name
"""


def test_a_function_that_mypy_checks_for_several_values(tmp_path: Path, plugin_cache: Path) -> None:
    """mypy checks a copy of the function for each value; its variables may be rebound like any others."""
    needs("jaxtyping", "torch")
    (tmp_path / "program.py").write_text(CHECKED_TWICE)
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert run.errors() == []
    lines = enumerate(CHECKED_TWICE.splitlines(), 1)
    expected = {number: line.partition("# ")[2] for number, line in lines if "# " in line}
    assert {line: any(name in typ for name in _shown(expected[line])) for line, typ in run.revealed().items()} == (
        dict.fromkeys(expected, True)
    )


def _shown(dtype: str) -> tuple[str, ...]:
    return (f"Tensor[{dtype}]", f"numpy.dtype[numpy.{dtype}]", f"floating[numpy._typing._nbit_base._{dtype[-2:]}Bit]")
