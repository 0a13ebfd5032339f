"""Large arrays: our time and the time of others for the same result, measured in turn, and memory beside results.

The medians of rounds count. In each round every contender is timed once, so that a disturbance affects all.
"""

import importlib
import random
import statistics
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import ml_dtypes
import numpy as np

import promo_runtime as pr
from promo_runtime.kernels.block_kernels import Casting
from promo_runtime.kernels.float32_kernels import InFloat32

ROUNDS = 15
SIZE = 10_000_000
MEMORY = 2 << 20
"""Bytes that a call may use beside its result."""

Call = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """One operation under JAX's rules: our call, and contenders by name, with the allowed ratio of our time."""

    name: str
    ours: Call
    others: Mapping[str, Call]
    limits: Mapping[str, float]


@dataclass(frozen=True)
class Outcome:
    """Median seconds, ours first, and bytes."""

    case: Case
    seconds: Mapping[str, float]
    processor: Mapping[str, float]
    """Seconds of all threads together, which other processes disturb less."""
    memory: int
    """The peak minus the result."""

    def ratio(self, other: str) -> float:
        """The ratio of our time to another's."""
        return self.seconds["promo_runtime"] / self.seconds[other]

    def missed(self) -> list[str]:
        """The contenders with a higher ratio than the goal."""
        return [
            other for other, limit in self.case.limits.items() if other in self.seconds and self.ratio(other) > limit
        ]


def cases(size: int = SIZE) -> list[Case]:
    """All cases, with the other libraries that are installed."""
    space = pr.namespace("jax-x32")
    f = np.linspace(1, 2, size, dtype=np.float32)
    i = np.arange(size, dtype=np.int32)
    h, b, q = (f.astype(dtype) for dtype in (np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn))
    numpy_cast = partial_numpy(f, i)
    in_float32 = InFloat32(np.add, (b.dtype, b.dtype), b.dtype)
    casting = Casting(np.add, (f.dtype, f.dtype), f.dtype, (f.dtype, f.dtype, f.dtype))
    found = [
        Case("float32 + float32", lambda: space.add(f, f), {"NumPy": lambda: f + f}, {"NumPy": 1.05}),
        Case(
            "float32 + int32",
            lambda: space.add(f, i),
            {"NumPy, to float64": lambda: f + i, **numpy_cast, "the same without numba": lambda: casting(f, i)},
            {"NumPy, to float64": 0.5, **dict.fromkeys(numpy_cast, 1.05), "PyTorch": 1, "JAX": 1},
        ),
        Case(
            "bfloat16 + bfloat16", lambda: space.add(b, b),
            {"ml_dtypes": lambda: b + b, "the same without numba": lambda: in_float32(b, b)},
            {"ml_dtypes": 0.25, "PyTorch": 2},
        ),
        Case("bfloat16 < bfloat16", lambda: space.less(b, b), {"ml_dtypes": lambda: b < b}, {"ml_dtypes": 1.05}),
        Case("float16 * float16", lambda: space.multiply(h, h), {"NumPy": lambda: h * h}, {"NumPy": 1.05}),
        Case("float8 * float8", lambda: space.multiply(q, q), {"ml_dtypes": lambda: q * q}, {"ml_dtypes": 1.05}),
    ]  # fmt: skip
    operands = {"float32 + float32": (f, f), "float32 + int32": (f, i), "bfloat16 + bfloat16": (b, b)}
    return [
        Case(case.name, case.ours, {**case.others, **libraries(*operands[case.name])}, case.limits)
        if case.name in operands
        else case
        for case in found
    ]


def partial_numpy(f: Any, i: Any) -> dict[str, Call]:
    """NumPy's ways to write a float32 sum."""
    return {
        "NumPy, dtype=": lambda: np.add(f, i, dtype=np.float32, casting="unsafe"),
        "NumPy, astype": lambda: f + i.astype(np.float32),
    }


def libraries(one: Any, other: Any) -> dict[str, Call]:
    """The sum by PyTorch, and by JAX, which computes asynchronously: the call waits for it."""
    found: dict[str, Call] = {}
    try:
        torch: Any = importlib.import_module("torch")
    except ImportError:
        pass
    else:
        tensors = [
            torch.from_numpy(each.astype(np.float32)).bfloat16() if each.dtype.kind == "V" else torch.from_numpy(each)
            for each in (one, other)
        ]
        found["PyTorch"] = lambda: tensors[0] + tensors[1]
    try:
        jnp: Any = importlib.import_module("jax.numpy")
    except ImportError:
        return found
    arrays = [jnp.asarray(each) for each in (one, other)]
    found["JAX"] = lambda: (arrays[0] + arrays[1]).block_until_ready()
    return found


def measured(case: Case, rounds: int = ROUNDS) -> Outcome:
    """Time and memory of a case."""
    calls = {"promo_runtime": case.ours, **case.others}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    order = random.Random(0)  # threads of some libraries spin for a while and disturb the next contender
    for _ in range(rounds):
        for name, call in order.sample(list(calls.items()), len(calls)):
            start, busy = perf_counter(), process_time()
            result = call()
            times[name].append((perf_counter() - start, process_time() - busy))
            del result
    tracemalloc.start()
    result = case.ours()
    peak = tracemalloc.get_traced_memory()[1] - result.nbytes
    tracemalloc.stop()
    seconds, processor = (
        {name: statistics.median(each[clock] for each in found) for name, found in times.items()} for clock in (0, 1)
    )
    return Outcome(case, seconds, processor, peak)
