"""A module in place of CuPy without a GPU: its arrays wrap NumPy's. The C++ compiler of this machine compiles the
source of a kernel, and the threads of a RawKernel run one after the other.

So the tests execute the C of our kernels, and the code that calls them. They do not show that NVRTC compiles the
source, that CuPy accepts the arguments, or the speed. Tests marked `gpu` do.
"""

import ctypes
import hashlib
import re
import subprocess
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from tests.needed import needs_program

PRELUDE = """
#include <cmath>
#include <cstring>
#define __device__ static
using std::sqrt;
static float __uint_as_float(unsigned int x) { float v; std::memcpy(&v, &x, 4); return v; }
static unsigned int __float_as_uint(float v) { unsigned int x; std::memcpy(&x, &v, 4); return x; }
struct float16 {
  unsigned short bits;
  float16() {}
  explicit float16(float v) {
    unsigned int u = __float_as_uint(v), sign = u >> 16 & 0x8000u;
    u &= 0x7fffffffu;
    unsigned int magnitude = u > 0x7f800000u ? 0x7e00u : u >= 0x477ff000u ? 0x7c00u
      : u < 0x38800000u ? __float_as_uint(__uint_as_float(u) + 0.5f) - 0x3f000000u  // the last place is 2**-24
      : (u + 0xfffu + (u >> 13 & 1u) >> 13) - (112u << 10);
    bits = (unsigned short)(sign | magnitude);
  }
  operator float() const {
    unsigned int sign = (bits & 0x8000u) << 16, magnitude = (bits & 0x7fffu) << 13;
    unsigned int infinite = magnitude >= 0x7c00u << 13 ? 0x7f800000u | magnitude : 0u;
    return __uint_as_float(sign | (infinite ? infinite : __float_as_uint(__uint_as_float(magnitude) * 0x1p112f)));
  }
};
"""
GRID = """
#define __global__
#define __restrict__
static struct {{ long long x; }} blockIdx, blockDim, threadIdx;
{source}
extern "C" void run(long long blocks, long long threads, {parameters}) {{
  blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {name}({arguments});
}}
"""
LOOP = """
extern "C" void kernel(long long count{parameters}) {{
  for (long long i = 0; i < count; ++i) {{
    {declarations}
    {operation};
    z_all[i] = z;
  }}
}}
"""
C = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long",
    "float16": "float16", "float32": "float", "float64": "double",
}  # fmt: skip


def compiler() -> str:
    """A C++ compiler of this machine; skips the test without one."""
    return needs_program("g++", "clang++")


def wrap(array: Any) -> "ndarray":
    made = ndarray()
    made.values = np.asarray(array)
    return made


class ndarray:  # noqa: N801 (CuPy's name)
    """The part of CuPy's array that our backend uses."""

    values: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.values, name)

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.values.ctypes.data)

    def view(self, dtype: Any) -> "ndarray":
        return wrap(self.values.view(dtype))

    def astype(self, dtype: Any) -> "ndarray":
        return wrap(self.values.astype(dtype))


ndarray.__module__ = "cupy"


class ElementwiseKernel:
    """The source as a loop over host memory. `built` holds the names of all compiled kernels."""

    folder: Path
    built: list[str]

    def __init__(self, inputs: str, output: str, operation: str, name: str, *, preamble: str = "") -> None:
        parts = [each.rsplit(" ", 1) for each in (*inputs.split(", "), output)]
        self.dtypes = [np.dtype(dtype) for dtype, _ in parts]
        parameters = "".join(f", {C[dtype]}* {name}_all" for dtype, name in parts)
        read = " ".join(f"{C[dtype]} {name} = {name}_all[i];" for dtype, name in parts[:-1])
        declarations = f"{read} {C[parts[-1][0]]} z;"
        loop = LOOP.format(parameters=parameters, declarations=declarations, operation=operation)
        self._call = compiled(self.folder, name, preamble + loop).kernel
        self.built.append(name)

    def __call__(self, *operands: Any) -> None:
        arrays = [each.values if isinstance(each, ndarray) else np.asarray(each) for each in operands]
        for array, dtype in zip(arrays, self.dtypes, strict=True):
            assert array.dtype == dtype, "CuPy takes no other dtype than the parameter's"
        whole = [np.ascontiguousarray(each) for each in np.broadcast_arrays(*arrays)]
        self._call(ctypes.c_longlong(whole[-1].size), *(ctypes.c_void_p(each.ctypes.data) for each in whole))
        arrays[-1][...] = whole[-1]


class RawKernel:
    """The source of a kernel, run for each thread of each block. `built` holds the names of all compiled kernels."""

    folder: Path
    built: list[str]

    def __init__(self, source: str, name: str) -> None:
        found = re.search(rf"__global__ void {name}\(([^)]*)\)", source)
        assert found is not None
        parameters = found[1].replace("__restrict__", "")
        arguments = ", ".join(re.findall(r"(\w+)(?:,|$)", parameters))
        # `extern "C"` belongs to `run`, which calls the kernel.
        plain = re.sub(r"#include <cupy/.*>", "", source).replace('extern "C" __global__', "static")
        whole = GRID.format(source=plain, parameters=parameters, name=name, arguments=arguments)
        self._call = compiled(self.folder, name, whole).run
        self.built.append(name)

    def __call__(self, blocks: tuple[int], threads: tuple[int], arguments: tuple[Any, ...]) -> None:
        self._call(*(ctypes.c_longlong(size) for (size,) in (blocks, threads)), *map(_passed, arguments))


def _passed(argument: Any) -> Any:
    """The argument as CuPy passes it: an array as a pointer, a NumPy number by value, a Python int in 64 bits."""
    if isinstance(argument, ndarray):
        return ctypes.c_void_p(argument.values.ctypes.data)
    if isinstance(argument, int):
        return ctypes.c_longlong(argument)
    return np.ctypeslib.as_ctypes_type(argument.dtype)(argument.item())


def compiled(folder: Path, name: str, source: str) -> ctypes.CDLL:
    """Compile the source and load the library."""
    source = PRELUDE + source
    library = folder / f"{name}_{hashlib.sha256(source.encode()).hexdigest()[:16]}.so"
    if not library.exists():
        command = [compiler(), "-w", "-fwrapv", "-shared", "-fPIC", "-o", str(library), "-x", "c++", "-"]
        subprocess.run(command, input=source, text=True, check=True)
    return ctypes.CDLL(str(library))


def module(folder: Path) -> ModuleType:
    """The module for sys.modules["cupy"]."""
    made: Any = ModuleType("cupy")
    made.ndarray = ndarray
    made.ElementwiseKernel = type("ElementwiseKernel", (ElementwiseKernel,), {"folder": folder, "built": []})
    made.RawKernel = type("RawKernel", (RawKernel,), {"folder": folder, "built": []})
    made.asarray = wrap
    made.__version__ = "of the host"
    made.cuda = SimpleNamespace(compiler=SimpleNamespace(CompileException=subprocess.CalledProcessError))
    made.take = lambda values, places: wrap(np.take(values.values, places.values))
    made.empty = lambda shape, dtype=float: wrap(np.empty(shape, dtype))
    for name in ("add", "subtract", "multiply", "divide", "true_divide", "sqrt", "less", "power", "negative"):
        setattr(made, name, _function(getattr(np, name)))
    for name in C:
        setattr(made, name, np.dtype(name).type)
    made.bool = np.bool_
    return made  # type: ignore[no-any-return] # set above


def _function(ufunc: np.ufunc) -> Any:
    return lambda *operands: wrap(ufunc(*(each.values if isinstance(each, ndarray) else each for each in operands)))
