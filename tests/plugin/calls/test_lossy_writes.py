"""Writes that cut off a fraction or an imaginary part: which are reported, and that execution loses it."""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules.functions.lossy_writes import WRITES
from tests.mypy_runs import run_mypy
from tests.needed import needs

HEADER = """\
# mypy: enable-error-code="promo-write"
import dask.array as da
import jax
import jax.numpy as jnp
import numpy as np
import torch
from numpy.typing import NDArray
from promo_mypy.rules.dtypes import float32, int32, int64
def written(
    i: NDArray[np.int32], u: NDArray[np.uint8], x: NDArray[np.float64], c: NDArray[np.complex64], m: NDArray[np.bool_],
    ji: "jax.Array[int32]", ti: "torch.Tensor[int32]", tx: "torch.Tensor[float32]",
    di: "da.Array[int64]", number: float, count: int,
) -> None:
"""
#: Library -> statement for each of its functions -> the array that it writes. All values are 0.5 or have such items.
LOSSY: Mapping[str, Mapping[str, str]] = {
    "numpy": {
        "i[...] = x": "i",
        "u[m] = 0.5": "u",
        "u[m] = number": "u",
        "i[:2] = [0.5, 1.0]": "i",
        "u[0] = x.mean()": "u",
        "x[:] = c": "x",
        "i.fill(0.5)": "i",
        "np.fill_diagonal(i.reshape(1, -1), number)": "i",
        "i = np.full_like(i, 0.5)": "i",
        "i = np.insert(i, 0, 0.5)": "i",
        "np.place(i, m, 0.5)": "i",
        "np.put(i, [0], x)": "i",
        "np.put_along_axis(i, np.array([0]), number, 0)": "i",
        "np.putmask(i, m, 0.5)": "i",
    },
    "dask": {"di[0] = 0.5": "di"},
    "jax": {"ji = jnp.full_like(ji, 0.5)": "ji"},
    "torch": {
        "ti[:] = tx": "ti",
        "ti[0] = 0.5": "ti",
        "ti.fill_(0.5)": "ti",
        "ti = torch.full_like(ti, 0.5)": "ti",
        "ti = ti.new_full((2,), 0.5)": "ti",
    },
}
QUIET = (
    "x[...] = i",
    "u[m] = 1.0",
    "u[m] = count",
    "u[:] = i",
    "i[...] = np.round(x)",
    "i[...] = x // 2",
    "x[:] = c.real",
    "x.astype(np.float32)[:] = x",
    "np.full_like(i, 0.5, dtype=float)",
    "tx[0] = ti",
)


def values() -> dict[str, Any]:
    import dask.array as da
    import jax
    import jax.numpy as jnp
    import torch

    half = [0.5, 0.5]
    return {
        "np": np,
        "jnp": jnp,
        "torch": torch,
        "jax": jax,
        "number": 0.5,
        "m": np.array([True, True]),
        "i": np.ones(2, np.int32),
        "u": np.ones(2, np.uint8),
        "x": np.array(half),
        "c": np.array(half) * 1j,
        "ji": jnp.ones(2, "int32"),
        "ti": torch.ones(2, dtype=torch.int32),
        "tx": torch.tensor(half),
        "di": da.from_array(np.ones(2, np.int64)),  # type: ignore[no-untyped-call]  # Dask does not annotate it
    }


def test_lossy_writes_are_reported_and_lose(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "torch", "dask")
    statements = [statement for each in LOSSY.values() for statement in each]
    lines = [f"    {statement}" for statement in (*statements, *QUIET)]
    (tmp_path / "program.py").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    reported = {
        lines[error.line - HEADER.count("\n") - 1].strip() for error in run.errors() if error.code == "promo-write"
    }
    assert reported == set(statements)


@pytest.mark.parametrize("library", LOSSY)
def test_execution_confirms_that_the_array_stays_as_it_is(library: str) -> None:
    needs("jax", "torch", "dask")
    for statement, name in LOSSY[library].items():
        names = values()
        before = names[name].dtype
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # JAX and NumPy announce that some of this may become an error
            exec(statement, names)
        after = names[name]
        assert after.dtype == before, statement
        assert {float(each) for each in np.ravel(np.asarray(after))} <= {0.0, 1.0}, statement


def test_every_function_has_a_statement() -> None:
    for library, functions in WRITES.items():
        text = " ".join(LOSSY[library])
        names = [name.rpartition(".")[2] for name in functions if name != "__setitem__"]
        assert [name for name in names if f"{name}(" not in text] == []
