"""Every pair of dtypes, promoted by mypy in the result of a call and by the library itself."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.examples.agreement import dtype_named
from tests.mypy_runs import override, run_mypy
from tests.needed import imported, needs

_INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
_OTHERS = ["bool_", "float16", "float32", "float64", "complex64", "complex128"]

X32 = {"int8", "int16", "int32", "uint8", "uint16", "uint32", "bool_", "float16", "float32", "complex64", "bfloat16"}

NUMPY = """\
from typing import TypeVar
import numpy as np
import numpy.typing as npt
from promo_runtime import Promote
A = TypeVar("A", bound=np.generic)
B = TypeVar("B", bound=np.generic)
def add(x: npt.NDArray[A], y: npt.NDArray[B]) -> npt.NDArray[Promote[A, B]]:
    return x + y
"""

OTHERS = """\
from __future__ import annotations
from typing import Annotated, TypeVar
import promo_runtime as promo
from promo_runtime import Promote
from jaxtyping import Shaped
from {package} import {array} as Array
A = TypeVar("A", bound=Array)
B = TypeVar("B", bound=Array)
def add(x: A, y: B) -> Annotated[Array, Promote[A, B]]:
    return x + y
"""


def _inferred(
    folder: Path, cache: Path, header: str, array: str, names: list[str], options: str = ""
) -> Mapping[tuple[str, ...], str | None]:
    """(left, right) -> the dtype in the result of a call; None if mypy knows none, with or without an error."""
    parameters = ", ".join(f"{name}: {array.format(name)}" for name in names)
    pairs = list(product(names, repeat=2))
    calls = "".join(f"    reveal_type(add({left}, {right}))\n" for left, right in pairs)
    text = f"{header}def calls({parameters}) -> None:\n"
    (folder / "program.py").write_text(text + calls, encoding="utf-8")
    run = run_mypy(folder, "program.py", cache=cache, options=options)
    first = text.count("\n") + 1
    assert {error.code for error in run.errors()} <= {"promo-undefined"}, run.output
    revealed = run.revealed()
    refused = [error.line for error in run.errors()]
    assert len(set(refused)) == len(refused)
    found = {pair: dtype_named(revealed[first + number]) for number, pair in enumerate(pairs)}
    # An unknown dtype means a rejected call, and a rejected call means an unknown dtype.
    assert {pairs[line - first] for line in refused} == {pair for pair, dtype in found.items() if dtype is None}
    return found


def test_numpy(tmp_path: Path, plugin_cache: Path) -> None:
    names = _INTEGERS + _OTHERS
    found = _inferred(tmp_path, plugin_cache, NUMPY, "npt.NDArray[np.{}]", names)
    real = {pair: str(np.result_type(*(getattr(np, name) for name in pair))) for pair in product(names, repeat=2)}
    assert found == real


@pytest.mark.parametrize("x64", [True, False])
def test_jax(x64: bool, tmp_path: Path, plugin_cache: Path) -> None:
    jax = imported("jax")
    names = [name for name in [*_INTEGERS, *_OTHERS, "bfloat16"] if x64 or name in X32]
    header = OTHERS.format(package="jax", array="Array")
    options = override("program", f"jax_enable_x64 = {str(x64).lower()}")
    found = _inferred(tmp_path, plugin_cache, header, "Array[promo.{}]", names, options)
    with jax.enable_x64(x64):
        arrays = {name: jax.numpy.ones(2, getattr(jax.numpy, name)) for name in names}
        sums = {(left, right): arrays[left] + arrays[right] for left, right in product(names, repeat=2)}
    real = {pair: f"{'weak_' if array.weak_type else ''}{array.dtype}" for pair, array in sums.items()}
    assert found == real


def test_torch(tmp_path: Path, plugin_cache: Path) -> None:
    torch = imported("torch")
    needs("jaxtyping")
    names = [*_INTEGERS, *_OTHERS, "bfloat16"]
    header = OTHERS.format(package="torch", array="Tensor")
    found = _inferred(tmp_path, plugin_cache, header, 'Shaped[Array[promo.{}], "n"]', names)

    def added(left: str, right: str) -> str | None:
        try:
            dtypes = [getattr(torch, name.rstrip("_")) for name in (left, right)]
            return str(torch.promote_types(*dtypes)).removeprefix("torch.")
        except RuntimeError:
            return None

    assert found == {pair: added(*pair) for pair in product(names, repeat=2)}
    assert None in found.values()
