"""Rare dtypes beside ordinary ones: mypy's joins keep all of them, and messages name each once."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

HEAD = """\
from typing import Annotated, TypeVar, assert_type
import jax
import jax.numpy as jnp
import torch
from jaxtyping import Array, Float, Float32, Float8e4m3fn, Int4, Num
from promo_mypy.rules.dtypes import float8_e4m3fn
T = TypeVar("T")
def narrow(x: Float8e4m3fn[Array, "n"]) -> Float8e4m3fn[Array, "n"]:
    return x
def some(x: Float[Array, "n"]) -> Float[Array, "n"]:
    return x
def number(x: Num[Array, "n"]) -> Num[Array, "n"]:
    return x
def same(x: T) -> T:
    return x
def f(
    x: Float8e4m3fn[Array, "n"],
    y: Float[Array, "n"],
    w: Float32[Array, "n"],
    i: Int4[Array, "n"],
    t: Annotated[torch.Tensor, torch.float8_e5m2],
    h: Annotated[torch.Tensor, torch.float16],
    written: "jax.Array[float8_e4m3fn]",
) -> None:
"""

#: Line -> the revealed type, or the error. None: no output.
LINES = {
    "reveal_type([x, w])": "list[Array[float32 | float8_e4m3fn]]",
    "reveal_type([w, i][0] + 1)": "Array[float32 | int4]",
    "reveal_type([w, i][0] + w)": "Array[float32]",  # JAX rejects int4
    # The category may hold more than its ordinary dtypes: a result made of it is unknown.
    "reveal_type([x, y])": "list[Array[Float]]",
    "reveal_type([x, y][0] + 1)": "Array[Any]",
    "reveal_type([y, w][0] + 1)": "Array[bfloat16 | float16 | float32]",
    "reveal_type([t, h])": "list[Tensor[float16 | float8_e5m2]]",
    'assert_type(x, "jax.Array[float8_e4m3fn]")': None,
    "narrow(written), narrow(same(x)), some(x), number(i), number([x, w][0])": None,
    "narrow(w.astype(jnp.float8_e4m3fn))": None,
    "narrow(w)": 'Argument 1 to "narrow" has incompatible type "Array[float32]"; expected "Array[float8_e4m3fn]"',
    "narrow([x, w][0])": 'Argument 1 to "narrow" has incompatible type "Array[float32 | float8_e4m3fn]"; expected'
    ' "Array[float8_e4m3fn]"',
}


def test_joins_keep_every_dtype(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jaxtyping", "torch")
    (tmp_path / "program.py").write_text(HEAD + "".join(f"    {line}\n" for line in LINES))
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    said = {message.line: message.revealed or message.text for message in run.messages}
    first = HEAD.count("\n") + 1
    assert said == {first + place: told for place, told in enumerate(LINES.values()) if told is not None}


def test_jax_gives_the_same_dtypes() -> None:
    """The dtypes that JAX gives such lists."""
    jnp = imported("jax.numpy")

    w, i = jnp.zeros(3, jnp.float32), jnp.zeros(3, jnp.int4)
    assert [str((each + 1).dtype) for each in (w, i)] == ["float32", "int4"]
    with pytest.raises(Exception, match="4-bit integers do not support implicit promotion"):
        i + w
