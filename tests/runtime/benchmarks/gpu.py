"""The kernels for CuPy beside the kernel that one writes by hand, and beside the bandwidth of a copy.

`python -m tests.runtime.benchmarks gpu` on a machine with CuPy and a CUDA device.
"""

import importlib
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import promo_runtime as pr

ROUNDS = 30
SIZE = 100_000_000

#: Of the time of the kernel by hand, and of the bandwidth of a copy.
MOST_TIME, LEAST_BANDWIDTH = 1.05, 0.85


@dataclass(frozen=True)
class Case:
    """Two dtypes that are added, under rules that promote them, and their kernel as one writes it for CuPy."""

    one: Any
    other: Any
    system: str
    inputs: str
    output: str
    operation: str
    preamble: str = ""


_BFLOAT16 = """
__device__ inline float wide(unsigned short x) { return __uint_as_float((unsigned int)x << 16); }
"""
_FLOAT8 = """
__device__ inline float wide8(unsigned char x) {  // e4m3fn: its bits are those of a float, but for the bias
  unsigned int sign = (x & 0x80u) << 24, magnitude = (x & 0x7fu) << 20;
  float v = (x & 0x7fu) == 0x7fu ? __uint_as_float(0x7fc00000u) : __uint_as_float(magnitude) * 0x1p120f;
  return __uint_as_float(sign | __float_as_uint(v));
}
"""
CASES = [
    Case(np.int32, np.float32, "jax", "int32 x, float32 y", "float32 z", "z = (float)x + y"),
    Case(
        ml_dtypes.bfloat16, np.float16, "jax", "uint16 x, float16 y", "float32 z",
        "z = wide(x) + (float)y", _BFLOAT16,
    ),
    Case(
        ml_dtypes.float8_e4m3fn, ml_dtypes.bfloat16, "numpy", "uint8 x, uint16 y", "float32 z",
        "z = wide8(x) + wide(y)", _BFLOAT16 + _FLOAT8,
    ),
]  # fmt: skip


def device() -> Any:
    """CuPy. Raises BackendError, which says what is missing."""
    with pr.backend("cupy"):
        return importlib.import_module("cupy")


def seconds(cupy: Any, calls: dict[str, Any]) -> dict[str, float]:
    """Medians of the times that the device took, in turn."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(ROUNDS):
        for name, call in calls.items():
            start, stop = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            result = call()
            stop.record()
            stop.synchronize()
            del result
            times[name].append(cupy.cuda.get_elapsed_time(start, stop) / 1e3)
    return {name: statistics.median(each) for name, each in times.items()}


def lines() -> Iterator[str]:
    """The report. Raises BackendError without a device."""
    cupy = device()
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    yield f"{properties['name'].decode()}, CuPy {cupy.__version__}, {SIZE:,} elements"
    for case in CASES:
        dtypes = [np.dtype(each) for each in (case.one, case.other)]
        one, other = (cupy.ones(SIZE, f"u{dtype.itemsize}").view(dtype) for dtype in dtypes)
        bits = [np.dtype(each.split()[0]) for each in (*case.inputs.split(", "), case.output)]
        by_hand = cupy.ElementwiseKernel(case.inputs, case.output, case.operation, "by_hand", preamble=case.preamble)
        space = pr.namespace(case.system)
        moved = sum(each.itemsize for each in bits) * SIZE
        copied = cupy.ones(moved // 2, np.uint8)
        found = seconds(
            cupy,
            {
                "ours": lambda one=one, other=other, space=space: space.add(one, other),
                "by hand": lambda one=one, other=other, kernel=by_hand, bits=bits: kernel(
                    one.view(bits[0]), other.view(bits[1])
                ),
                "copy": lambda copied=copied: copied.copy(),
            },
        )
        ratio, bandwidth = found["ours"] / found["by hand"], found["copy"] / found["ours"]
        verdict = "" if ratio <= MOST_TIME and bandwidth >= LEAST_BANDWIDTH else "  MISSED"
        names = " + ".join(dtype.name for dtype in dtypes)
        yield (
            f"{names:28} {found['ours'] * 1e3:8.3f} ms, {ratio:.2f} of the kernel by hand, "
            f"{moved / found['ours'] / 1e9:.0f} GB/s, {bandwidth:.0%} of a copy's bandwidth{verdict}"
        )
