"""Programs with layers, parameters and files of the libraries around. What `seen` gets has the dtype in the comment.

`python -m tests.program.around.measure programs` executes them.
"""

from collections.abc import Mapping
from typing import Final

LINEN: Final = """\
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    def setup(self):
        self.dense = nn.Dense(3)
        self.half = nn.Dense(3, dtype=jnp.bfloat16)
        self.stored = nn.Dense(3, param_dtype=jnp.float16)
        self.norm = nn.LayerNorm(dtype=jnp.float32)

    def __call__(self, x, other):
        a = jnp.ones((2, 3), jnp.float16)
        seen(self.dense(a))  # float32
        seen(self.half(x))  # bfloat16
        seen(self.stored(a))  # float16
        seen(self.norm(self.half(x)))  # float32
        seen(nn.relu(self.half(x)))  # bfloat16
        seen(self.dense(x))
        return x


class Inline(nn.Module):
    wide: bool = True

    @nn.compact
    def __call__(self, x):
        seen(nn.Dense(3, dtype=jnp.float16)(x))  # float16
        y = nn.Conv(3, (1,), dtype="bfloat16")(x)
        seen(y)  # bfloat16
        seen(self.param("w", nn.initializers.lecun_normal(), (3, 3)))  # float32
        seen(self.param("b", nn.initializers.zeros, (3,), jnp.bfloat16))  # bfloat16
        seen(self.param("c", nn.initializers.normal(0.1, jnp.float16), (3,)))  # float16
        w = self.param("d", jax.nn.initializers.ones, (3,), jnp.float16)
        seen(w * 2)  # float16
        seen(self.param("e", lambda key, shape: jnp.ones(shape, jnp.int32), (3,)))
        seen(nn.Embed(4, 3, param_dtype=jnp.float16)(jnp.array([1])))  # float16
        seen(nn.Dense(3, **{"dtype": x.dtype})(x))
        return x


x = jnp.ones((2, 3))
Block().init_with_output(jax.random.key(0), x, 1)
Inline().init_with_output(jax.random.key(0), x)
"""
CAST: Final = """\
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        seen(nn.Dense(3)(jnp.ones((2, 3), jnp.bfloat16)))
        seen(nn.Dense(3, dtype=jnp.float32)(x))
        return x


x = jnp.ones((2, 3))
params = Block().init(jax.random.key(0), x)
Block().apply(jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), params), x)
"""
NNX: Final = """\
import jax.numpy as jnp
from flax import nnx


class Model(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(3, 3, rngs=rngs)
        self.half = nnx.Linear(3, 3, dtype=jnp.bfloat16, rngs=rngs)
        self.w = nnx.Param(jnp.zeros((3, 3), jnp.float16))
        self.mean = nnx.BatchStat(jnp.zeros(3))

    def __call__(self, x):
        a = jnp.ones((2, 3), jnp.float16)
        seen(self.linear(a))  # float32
        seen(self.half(x))  # bfloat16
        seen(self.w.value)  # float16
        seen(a @ self.w)  # float16
        seen(self.w[...] * 2)  # float16
        seen(a + self.mean)  # float32
        return x


Model(nnx.Rngs(0))(jnp.ones((2, 3)))
"""
HAIKU: Final = """\
import haiku as hk
import jax
import jax.numpy as jnp


def net(x):
    seen(hk.get_parameter("w", (3,), init=jnp.zeros))  # float32
    w = hk.get_parameter("v", (3,), jnp.bfloat16, init=hk.initializers.RandomNormal())
    seen(w * 2)  # bfloat16
    seen(hk.get_state("s", (3,), jnp.int32, init=jnp.zeros))  # int32
    seen(hk.Linear(3)(x))
    return x


hk.transform_with_state(net).init(jax.random.PRNGKey(0), jnp.ones((2, 3)))
"""
TABLES: Final = """\
import io

import h5py
import numpy as np
import pandas as pd


def read(frame: pd.DataFrame, column: pd.Series, other):
    seen(frame.to_numpy(dtype=np.float32))  # float32
    seen(frame["a"].to_numpy(dtype=np.float32))  # float32
    seen(frame.loc[:, ["a"]].fillna(0).to_numpy(np.float64))  # float64
    seen(column.astype(np.float32).values)  # float32
    seen(column.astype(np.float32).isna().values)
    seen(frame.values)
    seen(other.to_numpy())
    changed = frame.astype(np.float32)
    changed["a"] = [1.5, 2.5]
    seen(changed.values)
    with h5py.File(io.BytesIO(), "w") as file:
        stored = file.create_dataset("a", (3,), dtype=np.float16)
        seen(stored[...])  # float16
        seen(stored[0] * np.float32(1))  # float32
        seen(file["a"][...])


read(pd.DataFrame({"a": [1, 2]}), pd.Series([1, 2]), pd.Series([1]))
"""

PROGRAMS: Final[Mapping[str, str]] = {"linen": LINEN, "cast": CAST, "nnx": NNX, "haiku": HAIKU, "tables": TABLES}


def labels(text: str) -> dict[int, str | None]:
    """Line of a call of `seen` -> the dtype in its comment."""
    lines = enumerate(text.splitlines(), 1)
    return {line: each.partition("  # ")[2] or None for line, each in lines if each.lstrip().startswith("seen(")}
