"""Differences of unsigned integers: which are reported, that execution wraps, and that the remedy does not."""

from pathlib import Path

import numpy as np
import pytest

from tests.mypy_runs import Run, run_mypy
from tests.needed import needs

needs("jax", "torch")

HEADER = """\
# mypy: enable-error-code="promo-wrapping"
import jax
import jax.numpy as jnp
import numpy as np
import torch
from numpy.typing import NDArray
from promo_mypy.rules.dtypes import uint8, uint32
def differences(
    a: NDArray[np.uint8], b: NDArray[np.uint8], w: NDArray[np.uint32], u: NDArray[np.uint64], v: NDArray[np.uint64],
    i: NDArray[np.int8], ja: "jax.Array[uint8]", jb: "jax.Array[uint8]", jw: "jax.Array[uint32]",
    jv: "jax.Array[uint32]", ta: "torch.Tensor[uint8]", tb: "torch.Tensor[uint8]", count: int,
) -> None:
"""
_WIDER = "write x.astype(np.int16) - y"
_OTHER = "take the smaller number away from the larger one"
#: Expression -> the remedy, and the expression after it.
WRAPPING = {
    "a - b": (_WIDER, "a.astype(np.int16) - b"),
    "abs(a - b)": (_WIDER, "abs(a.astype(np.int16) - b)"),
    "a - w": ("write x.astype(np.int64) - y", "a.astype(np.int64) - w"),
    "u - v": (_OTHER, "np.maximum(u, v) - np.minimum(u, v)"),
    "a - 3": (_WIDER, "a.astype(np.int16) - 3"),
    "a - count": (_WIDER, "a.astype(np.int16) - count"),
    "1 - a": ("write x - y.astype(np.int16)", "1 - a.astype(np.int16)"),
    "-a": ("write -x.astype(np.int16)", "-a.astype(np.int16)"),
    "a[1:] - a[:-1]": (_WIDER, "a[1:].astype(np.int16) - a[:-1]"),
    "np.subtract(a, b)": (_WIDER, "a.astype(np.int16) - b"),
    "np.diff(a)": ("write numpy.diff(x.astype(np.int16))", "np.diff(a.astype(np.int16))"),
    "np.ediff1d(w)": ("write numpy.ediff1d(x.astype(np.int64))", "np.ediff1d(w.astype(np.int64))"),
    "ja - jb": ("write x.astype(jnp.int16) - y", "ja.astype(jnp.int16) - jb"),
    "jw - jv": (_OTHER, "jnp.maximum(jw, jv) - jnp.minimum(jw, jv)"),
    "jnp.diff(ja)": ("write jax.numpy.diff(x.astype(jnp.int16))", "jnp.diff(ja.astype(jnp.int16))"),
    "ta - tb": ("write x.to(torch.int16) - y", "ta.to(torch.int16) - tb"),
    "torch.diff(ta)": ("write torch.diff(x.to(torch.int16))", "torch.diff(ta.to(torch.int16))"),
}
QUIET = (
    "i - i",
    "a - i",
    "a + b",
    "255 - a",
    "a - 0",
    "a - a.min()",
    "a - np.min(a)",
    "a.max() - a",
    "np.maximum(a, b) - np.minimum(a, b)",
    "np.diff(i)",
    "np.diff(a.astype(np.float32))",
)
REST = """\
def in_place(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> None:
    a -= b
def compared(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> None:
    np.where(a > b, a - b, b - a)
def positive(count: NDArray[np.uint8]) -> None:
    count[count > 0] = (count - 1)[count > 0]
def thresholds(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> None:
    a - b if a[0] > 3 else b
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    folder = tmp_path_factory.mktemp("wrapping")
    body = "".join(f"    {expression}\n" for expression in (*WRAPPING, *QUIET))
    (folder / "program.py").write_text(HEADER + body + REST, encoding="utf-8")
    return run_mypy(folder, "program.py", cache=plugin_cache)


def test_differences_of_unsigned_integers_are_reported(run: Run) -> None:
    lines = [*WRAPPING, *QUIET, *(line.strip() for line in REST.splitlines())]
    found = {lines[error.line - HEADER.count("\n") - 1]: error.text.rpartition("; ")[2] for error in run.errors()}
    assert found == {
        **{expression: remedy for expression, (remedy, _) in WRAPPING.items()},
        "a -= b": "write x = x.astype(np.int16) - y",
        "a - b if a[0] > 3 else b": _WIDER,
    }


@pytest.mark.parametrize("expression", WRAPPING)
def test_execution_wraps_and_the_remedy_does_not(expression: str) -> None:
    import jax.numpy as jnp
    import torch

    names = {
        "np": np,
        "jnp": jnp,
        "torch": torch,
        "count": 3,
        **{name: np.array([2, 1], kind) for name, kind in (("a", "u1"), ("u", "u8"))},
        **{name: np.array([4, 3], kind) for name, kind in (("b", "u1"), ("w", "u4"), ("v", "u8"))},
        **{name: jnp.array([2, 1], f"uint{bits}") for name, bits in (("ja", 8), ("jw", 32))},
        **{name: jnp.array([4, 3], f"uint{bits}") for name, bits in (("jb", 8), ("jv", 32))},
        "ta": torch.tensor([2, 1], dtype=torch.uint8),
        "tb": torch.tensor([4, 3], dtype=torch.uint8),
    }
    assert max(map(int, eval(expression, names))) > 200
    assert max(abs(int(each)) for each in eval(WRAPPING[expression][1], names)) <= 3
