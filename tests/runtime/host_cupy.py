"""A module that stands for CuPy where there is no GPU: arrays are NumPy's, wrapped, and the source of an
ElementwiseKernel is compiled for this machine by the C++ compiler.

So the C of our kernels is executed, and so is the way to them. What this does not show: that NVRTC takes the source,
that CuPy takes the arguments, and how fast any of it is. Tests marked `gpu` do.
"""

import ctypes
import hashlib
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

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


def compiler() -> str | None:
    """A C++ compiler of this machine."""
    return shutil.which("g++") or shutil.which("clang++")


def wrap(array: Any) -> "ndarray":
    made = ndarray()
    made.values = np.asarray(array)
    return made


class ndarray:  # noqa: N801 (CuPy's name)
    """What our backend asks of an array."""

    values: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.values, name)

    def view(self, dtype: Any) -> "ndarray":
        return wrap(self.values.view(dtype))

    def astype(self, dtype: Any) -> "ndarray":
        return wrap(self.values.astype(dtype))


ndarray.__module__ = "cupy"


class ElementwiseKernel:
    """The source as a loop over host memory. `built` holds the names of all that were compiled."""

    folder: Path
    built: list[str]

    def __init__(self, inputs: str, output: str, operation: str, name: str, *, preamble: str = "") -> None:
        parts = [each.rsplit(" ", 1) for each in (*inputs.split(", "), output)]
        self.dtypes = [np.dtype(dtype) for dtype, _ in parts]
        parameters = "".join(f", {C[dtype]}* {name}_all" for dtype, name in parts)
        read = " ".join(f"{C[dtype]} {name} = {name}_all[i];" for dtype, name in parts[:-1])
        declarations = f"{read} {C[parts[-1][0]]} z;"
        loop = LOOP.format(parameters=parameters, declarations=declarations, operation=operation)
        source = PRELUDE + preamble + loop
        library = self.folder / f"{name}_{hashlib.sha256(source.encode()).hexdigest()[:16]}.so"
        if not library.exists():
            command = [str(compiler()), "-w", "-fwrapv", "-shared", "-fPIC", "-o", str(library), "-x", "c++", "-"]
            subprocess.run(command, input=source, text=True, check=True)
        self._call = ctypes.CDLL(str(library)).kernel
        self.built.append(name)

    def __call__(self, *operands: Any) -> None:
        arrays = [each.values if isinstance(each, ndarray) else np.asarray(each) for each in operands]
        for array, dtype in zip(arrays, self.dtypes, strict=True):
            assert array.dtype == dtype, "CuPy takes no other dtype than the parameter's"
        whole = [np.ascontiguousarray(each) for each in np.broadcast_arrays(*arrays)]
        self._call(ctypes.c_longlong(whole[-1].size), *(ctypes.c_void_p(each.ctypes.data) for each in whole))
        arrays[-1][...] = whole[-1]


def module(folder: Path) -> ModuleType:
    """The module to put into sys.modules as `cupy`."""
    made: Any = ModuleType("cupy")
    made.ndarray = ndarray
    made.ElementwiseKernel = type("ElementwiseKernel", (ElementwiseKernel,), {"folder": folder, "built": []})
    made.asarray = wrap
    made.empty = lambda shape, dtype=float: wrap(np.empty(shape, dtype))
    for name in ("add", "subtract", "multiply", "divide", "true_divide", "sqrt", "less", "power", "negative"):
        setattr(made, name, _function(getattr(np, name)))
    for name in C:
        setattr(made, name, np.dtype(name).type)
    made.bool = np.bool_
    return made  # type: ignore[no-any-return] # what was made above


def _function(ufunc: np.ufunc) -> Any:
    return lambda *operands: wrap(ufunc(*(each.values if isinstance(each, ndarray) else each for each in operands)))
