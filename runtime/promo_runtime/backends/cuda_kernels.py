"""Run a source with CuPy: four elements per thread for contiguous arrays, one for others.

A thread that loads single bytes leaves most of a GPU's bandwidth unused; one that loads four elements at once reads
and writes as fast as a copy does.
"""

from typing import Any, Final

import numpy as np

from promo_runtime.backends.cuda_sources import C_TYPES, Source

_AT_ONCE: Final = 4
_THREADS: Final = 256
#: The widest load of a thread, in bytes.
_WIDEST: Final = 16

_PACKED: Final = """
#include <cupy/float16.cuh>
{preamble}
template <typename T> struct alignas(sizeof(T) < {widest} / {count} ? {count} * sizeof(T) : {widest}) Packed {{
  T at[{count}];
}};
extern "C" __global__ void {name}({parameters}, {result}* __restrict__ z_all, long long size) {{
  long long start = {count} * ((long long)blockIdx.x * blockDim.x + threadIdx.x);
  if (start + {count} <= size) {{
    {loads}
    Packed<{result}> z_packed;
    #pragma unroll
    for (int i = 0; i < {count}; ++i) {{
      {unpacked}
      {result} z;
      {operation};
      z_packed.at[i] = z;
    }}
    *(Packed<{result}>*)(z_all + start) = z_packed;
  }} else {{
    for (long long i = start; i < size; ++i) {{
      {single}
      {result} z;
      {operation};
      z_all[i] = z;
    }}
  }}
}}
"""


def packed(made: Source, numbers: tuple[bool, ...]) -> str:
    """The source of a kernel over contiguous arrays of one shape: their pointers, numbers by value, and the size.

    `numbers`: which operands are not arrays.
    """
    inputs = [each.split() for each in made.inputs.split(", ")]
    parts = [(C_TYPES[dtype], name, number) for (dtype, name), number in zip(inputs, numbers, strict=True)]
    arrays = [(c, name) for c, name, number in parts if not number]
    return _PACKED.format(
        preamble=made.preamble,
        widest=_WIDEST,
        count=_AT_ONCE,
        name=made.name,
        parameters=", ".join(
            f"{c} {name}" if number else f"const {c}* __restrict__ {name}_all" for c, name, number in parts
        ),
        result=C_TYPES[made.output.split()[0]],
        loads=" ".join(f"Packed<{c}> {x}_packed = *(const Packed<{c}>*)({x}_all + start);" for c, x in arrays),
        unpacked=" ".join(f"{c} {x} = {x}_packed.at[i];" for c, x in arrays),
        single=" ".join(f"{c} {x} = {x}_all[i];" for c, x in arrays),
        operation=made.operation,
    )


class CudaKernel:
    """One operation on CuPy arrays and numbers, compiled at the first call."""

    def __init__(self, library: Any, made: Source, result: np.dtype[Any]) -> None:
        """`library`: the module cupy; `result`: the dtype of the kernel's result."""
        self._library = library
        self._made = made
        self._result = result
        self._single = library.ElementwiseKernel(
            made.inputs, made.output, made.operation, made.name, preamble=made.preamble
        )
        self._packed: dict[tuple[bool, ...], Any] = {}
        """Which operands are numbers -> the kernel."""

    def __call__(self, *operands: Any) -> Any:
        """Compute a new array."""
        made, ndarray = self._made, self._library.ndarray
        numbers = tuple(not isinstance(each, ndarray) for each in operands)
        given = [
            _number(operand, made.number if untyped else None, dtype) if number else operand.view(dtype)
            for operand, number, untyped, dtype in zip(operands, numbers, made.untyped, made.seen, strict=False)
        ]
        arrays = [each for each, number in zip(given, numbers, strict=True) if not number]
        shape = arrays[0].shape
        if any(each.shape != shape for each in arrays):
            shape = np.broadcast_shapes(*(each.shape for each in arrays))
        out = self._library.empty(shape, made.seen[-1])
        if out.size and all(each.shape == shape and _is_packed(each) for each in arrays):
            blocks = -(-out.size // (_AT_ONCE * _THREADS))
            self._packed_kernel(numbers)((blocks,), (_THREADS,), (*given, out, out.size))
        else:
            self._single(*given, out)
        return out if out.dtype == self._result else out.view(self._result)

    def _packed_kernel(self, numbers: tuple[bool, ...]) -> Any:
        kernel = self._packed.get(numbers)
        if kernel is None:
            kernel = self._packed[numbers] = self._library.RawKernel(packed(self._made, numbers), self._made.name)
        return kernel


def _is_packed(array: Any) -> bool:
    """Whether its elements can be loaded together. A slice may start at any address."""
    return bool(array.flags.c_contiguous and array.data.ptr % min(_AT_ONCE * array.itemsize, _WIDEST) == 0)


def _number(operand: Any, cast: np.dtype[Any] | None, dtype: np.dtype[Any]) -> Any:
    """The argument for a number: a Python number in the dtype of the computation, or the bits of a NumPy scalar."""
    given = np.asarray(operand)
    return (given.view(dtype) if cast is None else given.astype(cast).astype(dtype))[()]
