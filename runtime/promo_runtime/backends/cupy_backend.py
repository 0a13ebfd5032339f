"""CuPy: operands of several dtypes, and small floats, in one kernel that casts each element where it is read."""

from typing import Any

import numpy as np

from promo_runtime.backends.cuda_sources import Source, source
from promo_runtime.backends.standard_backend import StandardBackend
from promo_runtime.block_kernels import Kernel
from promo_runtime.numpy_dtypes import numpy_dtype
from promo_runtime.numpy_kernels import Step


class CupyBackend(StandardBackend):
    """The GPU. What one kernel of ours does not compute, CuPy's functions do, on operands that are cast first."""

    def __init__(self) -> None:
        super().__init__("cupy", "GPU")

    def elementwise(self, step: Step) -> Kernel:
        """A kernel of ours where dtypes mix or are small floats, else CuPy's own."""
        made = source(step)
        if made is None:
            return super().elementwise(step)
        kernel = self._library.ElementwiseKernel(
            made.inputs, made.output, made.operation, made.name, preamble=made.preamble
        )
        result = numpy_dtype(step.result)

        def call(*operands: Any) -> Any:
            shape = np.broadcast_shapes(*(getattr(operand, "shape", ()) for operand in operands))
            out = self._library.empty(shape, result)
            given = (self._seen(operand, made, dtype) for operand, dtype in zip(operands, made.seen, strict=False))
            kernel(*given, out.view(made.seen[-1]))
            return out

        return call

    def _seen(self, operand: Any, made: Source, dtype: np.dtype[Any]) -> Any:
        """The bits of an array; a number in the dtype that the kernel takes."""
        if isinstance(operand, self._library.ndarray):
            return operand.view(dtype)
        return np.asarray(operand).astype(made.number).astype(dtype)[()]
