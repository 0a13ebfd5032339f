"""The option `parameters`: parameters of unknown dtype have the named dtypes inside their functions."""

from pathlib import Path

import pytest

from tests.mypy_runs import Run, run_mypy
from tests.needed import needs

needs("torch")

PROGRAM = """\
from typing import Any
import numpy as np
import numpy.typing as npt
import torch

def scaled(x: torch.Tensor, y: torch.Tensor | None, n: int) -> torch.Tensor:
    \"\"\"A docstring.\"\"\"
    reveal_type(x * 2)
    reveal_type(y)
    x = x.to(torch.int32)
    reveal_type(x)
    for _ in range(n):
        x = x / 2
    reveal_type(x)
    return x

def arrays(x: np.ndarray, y: npt.NDArray[np.float64], z: npt.NDArray[Any], w: Any) -> npt.NDArray[Any]:
    reveal_type(x + np.float32(1))
    reveal_type(y)
    reveal_type(w)
    def inner() -> None:
        reveal_type(z)
    return x

def empty(x: torch.Tensor) -> torch.Tensor:
    raise NotImplementedError

class Layer:
    def forward(self, x: torch.Tensor, *rest: torch.Tensor) -> torch.Tensor:
        reveal_type(x)
        reveal_type(rest)
        return x if x is not None else x + 1

scaled(torch.zeros(3, dtype=torch.float64), None, 1)
arrays(np.zeros(3, np.int8), np.zeros(3), np.zeros(3, np.int8), 1)
scaled("text", None, 1)
reveal_type(Layer().forward(torch.zeros(3, dtype=torch.float64)))
"""


_NUMPY_32 = "numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.floating[numpy._typing._nbit_base._32Bit]]]"
_NUMPY_64 = "numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.float64]]"


def _run(folder: Path, cache: Path, parameters: str) -> Run:
    (folder / "program.py").write_text(PROGRAM)
    options = f'[[tool.promo-mypy.overrides]]\nmodule = "program"\nparameters = {parameters}\n' if parameters else ""
    return run_mypy(folder, "program.py", cache=cache, options=options)


def test_the_dtype_is_inferred_inside_and_not_enforced_outside(tmp_path: Path, plugin_cache: Path) -> None:
    run = _run(tmp_path, plugin_cache, '"float32"')
    assert run.revealed() == {
        8: "Tensor[float32]",
        9: "Tensor[float32] | None",
        11: "Tensor[int32]",
        14: "Tensor[int32] | Tensor[float32]",
        18: _NUMPY_32,
        19: _NUMPY_64,
        20: "Any",
        22: _NUMPY_32,
        30: "Tensor[float32]",
        31: "tuple[Tensor[Any], ...]",
        37: "Tensor[Any]",
    }
    assert run.errors() == _run(tmp_path, plugin_cache, "").errors()
    assert [(each.line, each.code) for each in run.errors()] == [(36, "arg-type")]


@pytest.mark.parametrize(
    ("parameters", "tensor", "array"),
    [
        ('["float32", "float64"]', "Tensor[float32 | float64]", None),
        ('{torch = "float16"}', "Tensor[float16]", "Any"),
        ('{torch = ["float16", "float32"], numpy = "float64"}', "Tensor[float16 | float32]", _NUMPY_64),
    ],
)
def test_several_dtypes_and_libraries(
    parameters: str, tensor: str, array: str | None, tmp_path: Path, plugin_cache: Path
) -> None:
    revealed = _run(tmp_path, plugin_cache, parameters).revealed()
    assert revealed[30] == tensor
    if array is not None:
        assert revealed[22] == (array if array != "Any" else "numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]")


def test_each_library_has_its_own(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "tensorflow-stubs")
    text = """\
import jax
import numpy as np
import tensorflow as tf
import torch

def each(j: jax.Array, n: np.ndarray, t: torch.Tensor, f: tf.Tensor) -> None:
    reveal_type(j)
    reveal_type(n)
    reveal_type(t)
    reveal_type(f)
"""
    (tmp_path / "program.py").write_text(text)
    named = '{jax = "bfloat16", numpy = "float64", torch = "float16", tensorflow = "int32"}'
    options = f'[[tool.promo-mypy.overrides]]\nmodule = "program"\nparameters = {named}\n'
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, options=options)
    assert run.revealed() == {
        7: "Array[bfloat16]", 8: _NUMPY_64, 9: "Tensor[float16]", 10: "Tensor[int32]",
    }  # fmt: skip
