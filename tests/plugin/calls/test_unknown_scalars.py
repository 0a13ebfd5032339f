"""`np.float64(x)` of a value of unknown type: it is an array at run time if x is one, which may change a dtype."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

torch = imported("torch")
needs("jaxtyping")

PROGRAM = """\
from typing import Any, assert_type
import numpy as np
import torch
from jaxtyping import Float32
def f(x: Any, y: object, k: float | str, t: Float32[torch.Tensor, "n"], a: np.ndarray[Any, np.dtype[np.int8]]) -> None:
    reveal_type(t * np.float64(x))  # Tensor[Any]
    reveal_type(np.float64(x) * t)  # Tensor[Any]
    reveal_type(t * np.float32(t))  # Tensor[Any]
    scalar = np.float64(x)
    reveal_type(t * (scalar + 1))  # Tensor[Any]
    reveal_type(t * np.float64(k))  # Tensor[float32]
    reveal_type(t * np.float64(np.int8(2)))  # Tensor[float32]
    reveal_type(a * scalar)  # numpy.ndarray[Any, numpy.dtype[numpy.float64]]
    assert_type(scalar, np.float64)
    number: float = scalar
"""
VALUES = {
    False: (2, 2.5, "3", np.ones(()), np.int8(1)),
    True: ([1, 2], (1, 2), np.ones(2)),
}
"""Whether it has dimensions -> the values."""


def test_a_tensor_times_such_a_scalar_is_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "unknown_scalars.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "unknown_scalars.py", cache=plugin_cache)
    promised = {
        number: line.partition("  # ")[2] for number, line in enumerate(PROGRAM.splitlines(), 1) if "  # " in line
    }
    assert run.revealed() == promised
    assert not run.errors()


@pytest.mark.filterwarnings("ignore:__array_wrap__:DeprecationWarning")  # PyTorch's own
@pytest.mark.parametrize("has_dimensions", VALUES)
def test_the_executed_dtype_depends_on_the_value(has_dimensions: bool) -> None:
    for value in VALUES[has_dimensions]:
        made: Any = np.float64(value)  # type: ignore[arg-type]  # NumPy's stubs know nothing of sequences here
        assert isinstance(made, np.ndarray) == has_dimensions
        assert (torch.ones(2, dtype=torch.float32) * made).dtype == (torch.float64 if has_dimensions else torch.float32)
