"""Measure what the rules cost over NumPy on small arrays: our expressions and NumPy calls, in turn.

The best of many short rounds counts, since other processes disturbed it least.
"""

import importlib
import timeit
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import promo_runtime as pr

ROUNDS, CALLS = 150, 100
SMALL = 10


@dataclass(frozen=True)
class Row:
    """One expression of ours, the same or nearest expression of NumPy, and the measured seconds."""

    system: str
    ours: str
    numpy: str
    seconds: float
    seconds_numpy: float
    seconds_jax: float | None = None
    """Seconds of the same expression in jax.numpy, not compiled, if JAX is installed."""

    @property
    def over(self) -> float:
        """Microseconds more than NumPy."""
        return (self.seconds - self.seconds_numpy) * 1e6

    def __str__(self) -> str:
        ratio = self.seconds / self.seconds_numpy
        times = f"{self.seconds * 1e6:11.2f} us {self.seconds_numpy * 1e6:11.2f} us {self.over:+9.2f} us {ratio:6.2f}"
        return f"{self.system:6} {self.ours:22} {self.numpy:42} {times}"


FUNCTIONS = {
    "xp.add(f, f)": "np.add(f, f)",
    "xp.add(i, f)": "np.add(i, f)",
    "xp.add(f, 1.5)": "np.add(f, 1.5)",
    "xp.add(f, 1)": "np.add(f, 1)",
    "xp.multiply(b, b)": "np.multiply(b, b)",
    "xp.multiply(i, b)": "np.multiply(i, b)",
    "xp.less(i, f)": "np.less(i, f)",
    "xp.negative(f)": "np.negative(f)",
    "xp.sin(f)": "np.sin(f)",
    "xp.sum(f)": "np.sum(f)",
    "xp.sum(f, axis=0)": "np.sum(f, axis=0)",
    "xp.sum(f, dtype='float64')": "np.sum(f, dtype='float64')",
    "xp.mean(f)": "np.mean(f)",
    "xp.max(f)": "np.max(f)",
    "xp.any(f)": "np.any(f)",
    "xp.sort(f)": "np.sort(f)",
    "xp.where(m, f, f)": "np.where(m, f, f)",
    "xp.where(m, i, f)": "np.where(m, i, f)",
    "xp.where(m, f, 0.0)": "np.where(m, f, 0.0)",
    "xp.clip(f, 1.2, 1.5)": "np.clip(f, 1.2, 1.5)",
    "xp.clip(f, min=1.2)": "np.clip(f, min=1.2)",
    "xp.concat([f, f])": "np.concatenate([f, f])",
    "xp.concat([i, f])": "np.concatenate([i, f])",
    "xp.reshape(f, (2, 5))": "np.reshape(f, (2, 5))",
    "xp.asarray(f)": "np.asarray(f)",
    "xp.astype(f, 'int32')": "f.astype('int32')",
    "xp.arange(10)": "np.arange(10)",
    "xp.full(10, 1.5)": "np.full(10, 1.5)",
    "xp.zeros(10)": "np.zeros(10)",
    "xp.zeros(10, dtype='float32')": "np.zeros(10, dtype='float32')",
    "xp.zeros_like(f)": "np.zeros_like(f)",
}
"""Between arrays of 10 elements: our call, and the bare call."""

OPERATORS = {
    "F + F": "np.add(f, f)",
    "I + F": "np.add(i, f)",
    "F + 1.5": "np.add(f, 1.5)",
    "1 - F": "np.subtract(1, f)",
    "B * B": "np.multiply(b, b)",
    "F < F": "np.less(f, f)",
    "F + f": "np.add(f, f)",
    "-F": "np.negative(f)",
}


def arrays(system: str, size: int) -> dict[str, Any]:
    """The names in expressions: plain arrays, wrapped ones, and the namespace."""
    plain: dict[str, Any] = {"i": np.arange(size, dtype=np.int32), "f": np.linspace(1, 2, size, dtype=np.float32)}
    plain["b"] = plain["f"].astype(ml_dtypes.bfloat16)
    plain["m"] = plain["i"] > size // 2
    wrapped = {name.upper(): pr.asarray(each, system=system) for name, each in plain.items()}
    return {"xp": pr.namespace(system), "np": np, **plain, **wrapped}


def jax_arrays(size: int) -> dict[str, Any]:
    """The same names for JAX; empty if it is not installed."""
    try:
        jnp: Any = importlib.import_module("jax.numpy")
    except ImportError:
        return {}
    made = {name: jnp.asarray(each) for name, each in arrays("jax", size).items() if isinstance(each, np.ndarray)}
    return {"xp": jnp, **made, **{name.upper(): each for name, each in made.items()}}


def measured(system: str, pairs: Mapping[str, str], size: int, *, jax: bool = False) -> Iterator[Row]:
    """The rows of some expressions."""
    names, theirs = arrays(system, size), jax_arrays(size) if jax else {}
    for ours, numpy in pairs.items():
        timers = [timeit.Timer(text, globals=names) for text in (ours, numpy)]
        if theirs:
            timers.append(timeit.Timer(ours, globals=theirs))
        rounds = [[timer.timeit(CALLS) / CALLS for timer in timers] for _ in range(ROUNDS)]
        yield Row(system, ours, numpy, *map(min, zip(*rounds, strict=True)))
