"""Choose the NumPy loop that computes a resolved operation, with every cast inside the loop's buffers.

NumPy casts operands to a loop's dtype in chunks of its buffer, so no operand is copied as a whole (except for @, which
needs whole matrices). There are three ways for small arrays, the cheapest first:

- the plain ufunc, if NumPy itself picks the loop that the rules require;
- the ufunc with that loop as its signature;
- a wider loop that writes into an array of the result's dtype, if there is no loop for the dtype: logic on int4,
  products of bfloat16 matrices. Powers of small floats use it, too: the exponent must not be rounded.

Large arrays that need casts, and all large arrays of small floats, are computed in pieces by the same loops, or by
faster ones that give the same bits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operations import COMPARISONS
from promo_runtime.kernels.block_kernels import Casting, InPieces, Kernel, by_size, into_by_size
from promo_runtime.kernels.byte_tables import ByteTable
from promo_runtime.kernels.compiled_kernels import BFLOAT16, COMPILED, COMPILED_CASTS, Compiled, CompiledCasting
from promo_runtime.kernels.elementwise_rows import Row
from promo_runtime.kernels.float32_kernels import EXACT, SMALL_FLOATS, InFloat32
from promo_runtime.kernels.special_values import CORRECTED
from promo_runtime.numpy_dtypes import NUMPY_DTYPES, numpy_dtype


@dataclass(frozen=True, slots=True)
class Step:
    """An operation with resolved dtypes."""

    row: Row
    inputs: tuple[Any, ...]
    """NumPy's dtype of each operand, or Python's type of a number."""
    compute: type[dt.Shaped]
    """The dtypes to which the operands are cast."""
    result: type[dt.Shaped]
    native: bool = False
    """Whether NumPy's own choice of a loop follows the rules, if it gives that result."""


class NoLoopError(TypeError):
    """The rules give a dtype that no NumPy loop computes."""


def _wider(dtype: type[dt.Shaped]) -> tuple[type[dt.Shaped], ...]:
    """Dtypes that hold all values of `dtype`, for computing if it has no loop of its own."""
    if dtype.kind == "c":
        return (dt.complex64, dt.complex128)
    if dtype.kind == "f":
        return (dt.float32, dt.float64)
    return (dt.uint8,) if dtype.kind == "u" else (dt.int8, dt.float32) if dtype.kind == "b" else (dt.int8,)


#: Operation -> the dtypes that are computed in a wider dtype although they have loops: powers because exponents lose
#: digits, products because NumPy's loops for float16 are slow.
_WIDENED: Final[Mapping[str, frozenset[type[dt.Shaped]]]] = {
    "pow": frozenset({dt.bfloat16, dt.float16, *dt.FLOAT8, dt.float6_e2m3fn, dt.float6_e3m2fn, dt.float4_e2m1fn}),
    "matmul": frozenset({dt.float16}),
}


_BYTE_FLOATS: Final = frozenset(
    numpy for dtype, numpy in NUMPY_DTYPES.items() if dtype.kind == "f" and numpy.itemsize == 1
)


@lru_cache(maxsize=8192)
def kernel(step: Step) -> Kernel:
    """The function that computes a step. Raises NoLoopError, UnknownArrayDtypeError."""
    if step.row.operation == "truediv" and step.compute.kind in "ui":
        return _truncating(step)
    if step.row.standard:
        return _standard(step)
    wanted = _loop(step, step.compute, step.result)
    taken = _taken(step, wanted)
    ufunc, result = step.row.ufunc, wanted[-1]
    small: Kernel = ufunc
    if taken is not None:
        wanted = taken
    elif step.compute not in _WIDENED.get(step.row.operation, ()) and _exists(ufunc, wanted):
        small = partial(ufunc, signature=wanted, casting="unsafe")
    else:
        ufunc, wanted, result = carried = _carried(step)
        small = partial(_matrix_product if step.row.operation == "matmul" else _into, *carried)
    large = _in_pieces(step, wanted, result)
    if large is None:
        return small
    # In the inputs a Python number is a type, but a bool is a dtype, like an array.
    return by_size(small, large, tuple(isinstance(each, np.dtype) and each != np.bool_ for each in step.inputs))


def product_dtypes(step: Step) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The dtypes to which matrices are cast before the multiplication, and the product after it."""
    wanted = _loop(step, step.compute, step.compute)
    if step.compute in _WIDENED["matmul"] or not _exists(step.row.ufunc, wanted):
        wanted = _carried(step)[1]
    return wanted[0], numpy_dtype(step.result)


@lru_cache(maxsize=8192)
def kernel_in_place(step: Step) -> Kernel:
    """The function that computes a step and stores the result in the first operand, which keeps its dtype.

    Raises NoLoopError, UnknownArrayDtypeError.
    """
    if step.row.standard and _corrected(step) is not None:
        return partial(_stored, kernel(step))
    wanted = _loop(step, step.compute, step.compute)
    if step.compute in _WIDENED.get(step.row.operation, ()) or not _exists(step.row.ufunc, wanted):
        wanted = _carried(step)[1]
    small = partial(_into_first, step.row.ufunc, wanted)
    large = _in_pieces(step, wanted, step.inputs[0])
    return small if large is None else into_by_size(small, large)


def _in_pieces(step: Step, loop: tuple[np.dtype[Any], ...], result: np.dtype[Any]) -> InPieces | None:
    """The kernel for large arrays; None if the loop on whole arrays is as fast."""
    ufunc, compute, given = step.row.ufunc, loop[:-1], loop[0]
    if ufunc.signature is not None or ufunc.nout > 1:
        return None
    alike = set(compute) == {given}
    if alike and given in _BYTE_FLOATS and result == loop[-1] and result.itemsize == 1:
        return ByteTable(ufunc, compute, result)
    if alike and given == BFLOAT16 and ufunc in COMPILED and result == given:
        return Compiled(ufunc, compute, result)
    if alike and given in SMALL_FLOATS and ufunc in EXACT and result == loop[-1]:
        return InFloat32(ufunc, compute, result)
    uncast = result == loop[-1] and all(
        each == wanted for each, wanted in zip(step.inputs, loop, strict=False) if isinstance(each, np.dtype)
    )
    if uncast and given not in SMALL_FLOATS:
        return None
    if alike and ufunc in COMPILED_CASTS and given == result and _float_and_integer(step.inputs, result):
        return CompiledCasting(ufunc, compute, result, loop, step.inputs)
    return Casting(ufunc, compute, result, loop)


def _float_and_integer(inputs: tuple[Any, ...], result: np.dtype[Any]) -> bool:
    """Whether one operand has the result's dtype, a float of C, and the other an integer dtype."""
    if result not in (np.float32, np.float64) or not all(isinstance(each, np.dtype) for each in inputs):
        return False
    return {each.kind for each in inputs} in ({"f", "i"}, {"f", "u"}) and result in inputs and inputs[0] != inputs[1]


def _loop(step: Step, compute: type[dt.Shaped], result: type[dt.Shaped]) -> tuple[np.dtype[Any], ...]:
    operation = step.row.operation
    out = dt.bool_ if operation in COMPARISONS else dt.REAL_PARTS.get(compute, compute) if operation == "abs" else None
    given = numpy_dtype(compute)
    return (*(given,) * step.row.ufunc.nin, numpy_dtype(out or result))


def _taken(step: Step, wanted: tuple[np.dtype[Any], ...]) -> tuple[np.dtype[Any], ...] | None:
    """The loop that NumPy chooses itself, if it is the required one."""
    try:
        taken = tuple(step.row.ufunc.resolve_dtypes((*step.inputs, None)))
    except TypeError:  # it raises, or has a resolver of its own
        return None
    return taken if (taken[-1] == wanted[-1] if step.native else taken == wanted) else None


def _exists(ufunc: np.ufunc, wanted: tuple[np.dtype[Any], ...]) -> bool:
    try:
        return tuple(ufunc.resolve_dtypes((*wanted[:-1], None), signature=wanted)) == wanted
    except TypeError:
        return False


def _carried(step: Step) -> tuple[np.ufunc, tuple[np.dtype[Any], ...], np.dtype[Any]]:
    for wide in _wider(step.compute):
        wanted = _loop(step, wide, wide)
        if _exists(step.row.ufunc, wanted):
            return step.row.ufunc, wanted, numpy_dtype(step.result)
    names = ", ".join(getattr(each, "name", getattr(each, "__name__", "")) for each in step.inputs)
    raise NoLoopError(f"NumPy has no loop that computes {step.row.name} of {names} in {step.compute.name}")


def _standard(step: Step) -> Kernel:
    plain, corrected = kernel(replace(step, row=replace(step.row, standard=False))), _corrected(step)
    return plain if corrected is None else partial(corrected, plain)


def _corrected(step: Step) -> Kernel | None:
    return CORRECTED.get((step.row.name, step.compute.kind))


def _truncating(step: Step) -> Kernel:
    """Division of integers with a truncated integer result, as in jax.lax.div."""
    rows = (
        Row("", operation, ufunc)
        for operation, ufunc in (("mod", np.fmod), ("sub", np.subtract), ("floordiv", np.floor_divide))
    )
    return partial(_truncated, *(kernel(replace(step, row=row)) for row in rows))


def _truncated(remainder: Kernel, difference: Kernel, quotient: Kernel, one: Any, other: Any) -> Any:
    return quotient(difference(one, remainder(one, other)), other)


def _into(ufunc: np.ufunc, loop: tuple[np.dtype[Any], ...], result: np.dtype[Any], *operands: Any) -> Any:
    out = np.empty(np.broadcast(*operands).shape, result)
    ufunc(*operands, out=out, signature=loop, casting="unsafe")
    return out if out.ndim else out[()]


def _stored(call: Kernel, target: Any, *operands: Any) -> Any:
    target[...] = call(target, *operands)
    return target


def _into_first(ufunc: np.ufunc, loop: tuple[np.dtype[Any], ...], target: Any, *operands: Any) -> Any:
    return ufunc(target, *operands, out=target, signature=loop, casting="unsafe")


def _matrix_product(ufunc: np.ufunc, loop: tuple[np.dtype[Any], ...], result: np.dtype[Any], *operands: Any) -> Any:
    return ufunc(*operands, signature=loop, casting="unsafe").astype(result)
