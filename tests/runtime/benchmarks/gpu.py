"""Compare the kernels for CuPy with handwritten kernels, and with the bandwidth of a copy.

`python -m tests.runtime.benchmarks gpu` on a machine with CuPy and a CUDA device; with `--write`, the report goes to
docs/benchmarks-gpu.md.
"""

import importlib
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import ml_dtypes
import numpy as np

import promo_runtime as pr

ROUNDS = 15
#: Calls in a row, so that the device does not wait for Python.
CALLS = 20
SIZE = 100_000_000
#: Elements of the arrays that show the cost of a call itself.
SMALL = 10

#: Goals: the ratio to the time of the handwritten kernel, and to the bandwidth of a copy.
MOST_TIME, LEAST_BANDWIDTH = 1.05, 0.85


@dataclass(frozen=True)
class Case:
    """Two dtypes that are added, under rules that promote them, and a handwritten CuPy kernel."""

    one: Any
    other: Any
    system: str
    inputs: str
    output: str
    operation: str
    preamble: str = ""

    @property
    def name(self) -> str:
        return " + ".join(np.dtype(each).name for each in (self.one, self.other))

    def bits(self) -> list[np.dtype[Any]]:
        """The dtypes of the handwritten kernel: its operands, and the result last."""
        return [np.dtype(each.split()[0]) for each in (*self.inputs.split(", "), self.output)]


_BFLOAT16 = """
__device__ inline float wide(unsigned short x) { return __uint_as_float((unsigned int)x << 16); }
"""
# e4m3fn: subnormal numbers count in steps of 2**-9; the others have a float's bits except for the bias.
_FLOAT8 = """
__device__ inline float wide8(unsigned char x) {
  unsigned int sign = (x & 0x80u) << 24, magnitude = x & 0x7fu;
  float v = magnitude == 0x7fu ? __uint_as_float(0x7fc00000u)
    : magnitude < 8u ? (float)magnitude * 0x1p-9f : __uint_as_float((magnitude << 20) + (120u << 23));
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
    """CuPy. Raises BackendError, which names what is missing."""
    with pr.backend("cupy"):
        return importlib.import_module("cupy")


def seconds(cupy: Any, calls: dict[str, Any]) -> dict[str, float]:
    """The median time of the device for one of each call, measured in turn."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(ROUNDS):
        for name, call in calls.items():
            start, stop = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            for _ in range(CALLS):
                call()
            stop.record()
            stop.synchronize()
            times[name].append(cupy.cuda.get_elapsed_time(start, stop) / CALLS / 1e3)
    return {name: statistics.median(each) for name, each in times.items()}


def host_seconds(cupy: Any, calls: dict[str, Any]) -> dict[str, float]:
    """The least time of Python for one of each call, measured in turn."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            cupy.cuda.Device().synchronize()
            start = time.perf_counter()
            for _ in range(1000):
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / 1000)
    return best


def lines() -> Iterator[str]:
    """The report. Raises BackendError without a device."""
    cupy = device()
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    yield "# Benchmarks of the run-time companion on a GPU"
    yield ""
    yield "Written by `python -m tests.runtime.benchmarks gpu --write`: medians, contenders in turn."
    yield ""
    device_name = properties["name"].decode()
    yield f"{datetime.now(UTC):%Y-%m-%d}, {device_name}, CuPy {cupy.__version__}, NumPy {np.__version__}."
    yield ""
    yield f"## {SIZE:,} elements"
    yield ""
    yield f"Wanted: at most {MOST_TIME} of the kernel by hand, at least {LEAST_BANDWIDTH:.0%} of a copy's bandwidth."
    yield ""
    yield "| operation | ms | of the kernel by hand | GB/s | of a copy's bandwidth | |"
    yield "|---|---|---|---|---|---|"
    yield from (large_line(cupy, case) for case in CASES)
    yield ""
    yield f"## {SMALL} elements"
    yield ""
    yield "Microseconds of Python for one call; the kernel by hand with the views that it needs."
    yield ""
    yield "| operation | us | kernel by hand | CuPy's + |"
    yield "|---|---|---|---|"
    yield from (small_line(cupy, case) for case in CASES)


def contenders(cupy: Any, case: Case, size: int) -> dict[str, Any]:
    """Our kernel and the handwritten one."""
    dtypes = [np.dtype(each) for each in (case.one, case.other)]
    one, other = (cupy.ones(size, f"u{dtype.itemsize}").view(dtype) for dtype in dtypes)
    bits = case.bits()
    by_hand = cupy.ElementwiseKernel(case.inputs, case.output, case.operation, "by_hand", preamble=case.preamble)
    space = pr.namespace(case.system)
    return {
        "ours": lambda: space.add(one, other),
        "by hand": lambda: by_hand(one.view(bits[0]), other.view(bits[1])),
    }


def large_line(cupy: Any, case: Case) -> str:
    """A row of the table of bandwidths."""
    moved = sum(each.itemsize for each in case.bits()) * SIZE
    source, target = (cupy.empty(moved // 2, np.uint8) for _ in range(2))
    copy = {"copy": lambda: target.data.copy_from_device_async(source.data, moved // 2)}
    found = seconds(cupy, contenders(cupy, case, SIZE) | copy)
    ratio, bandwidth = found["ours"] / found["by hand"], found["copy"] / found["ours"]
    verdict = "met" if ratio <= MOST_TIME and bandwidth >= LEAST_BANDWIDTH else "missed"
    return (
        f"| {case.name} | {found['ours'] * 1e3:.3f} | {ratio:.2f} | {moved / found['ours'] / 1e9:.0f} "
        f"| {bandwidth:.0%} | {verdict} |"
    )


def small_line(cupy: Any, case: Case) -> str:
    """A row of the table of costs."""
    one = cupy.ones(SMALL, np.float32)
    found = host_seconds(cupy, contenders(cupy, case, SMALL) | {"plus": lambda: one + one})
    return f"| {case.name} | {' | '.join(f'{each * 1e6:.1f}' for each in found.values())} |"
