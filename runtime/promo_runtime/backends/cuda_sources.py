"""Write an operation on mixed dtypes as the source of one CUDA kernel, which casts each element when it reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.wording.dialects import holds
from promo_runtime.backends.cuda_floats import small_float
from promo_runtime.kernels.numpy_kernels import Step
from promo_runtime.numpy_dtypes import dtype_of, numpy_dtype

_EXPRESSIONS: Final[Mapping[np.ufunc, str]] = MappingProxyType(
    {
        np.add: "{} + {}",
        np.subtract: "{} - {}",
        np.multiply: "{} * {}",
        np.divide: "{} / {}",
        np.equal: "{} == {}",
        np.not_equal: "{} != {}",
        np.less: "{} < {}",
        np.less_equal: "{} <= {}",
        np.greater: "{} > {}",
        np.greater_equal: "{} >= {}",
        np.negative: "-{}",
        np.sqrt: "sqrt({})",
    }
)
"""Ufunc -> C expression with the same result for every operand."""

C_TYPES: Final = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long",
    "float16": "float16", "float32": "float", "float64": "double",
}  # fmt: skip
"""Dtypes that CuPy's kernels know -> C."""

_BITS: Final = frozenset({dt.bfloat16, *dt.FLOAT8})
"""Dtypes that kernels receive as the bits of unsigned integers."""


@dataclass(frozen=True, slots=True)
class Source:
    """The arguments of cupy.ElementwiseKernel, and the dtypes of arrays and numbers in the kernel."""

    inputs: str
    output: str
    operation: str
    name: str
    preamble: str
    seen: tuple[np.dtype[Any], ...]
    """The dtype of each operand, then of the result."""
    number: np.dtype[Any]
    """The dtype to which a Python number is cast first."""
    untyped: tuple[bool, ...]
    """Which operands are Python numbers."""


def source(step: Step) -> Source | None:
    """The kernel of a step that mixes dtypes or has small floats; None if the library's own function is enough."""
    computed = _operand_dtypes(step)
    expression = _EXPRESSIONS.get(step.row.ufunc)
    dtypes = {*computed, step.compute, step.result}
    known = all(each in _BITS or each.name in C_TYPES for each in dtypes)
    stored = step.result not in (
        step.compute,
        dt.bool_,
    )  # the dtype differs from that of the computation: an in-place operation
    if expression is None or not known or stored or (computed == [step.compute] * len(computed) and not dtypes & _BITS):
        return None
    if step.row.ufunc in (np.divide, np.sqrt) and step.compute.kind != "f":
        return None  # each library has its own rule for integers
    if step.row.ufunc in (np.subtract, np.negative) and step.compute.kind == "b":
        return None  # C computes it in int
    if step.row.ufunc in (np.add, np.multiply) and step.compute.kind == "b":
        expression = {np.add: "{} || {}", np.multiply: "{} && {}"}[step.row.ufunc]
    names = ["x", "y"][: len(computed)]
    widened = [
        _widened(name, dtype, step.compute, number=isinstance(given, type))
        for name, dtype, given in zip(names, computed, step.inputs, strict=True)
    ]
    seen = tuple(
        _number_seen(step.compute) if isinstance(given, type) else _seen(dtype)
        for dtype, given in zip(computed, step.inputs, strict=True)
    )
    return Source(
        inputs=", ".join(f"{each.name} {name}" for each, name in zip(seen, names, strict=True)),
        output=f"{_seen(step.result).name} z",
        operation=f"z = {_to(step.result, expression.format(*widened))}",
        name="_".join(["promo", step.row.name, *(each.name for each in computed), step.result.name]),
        preamble="".join(small_float(each) for each in sorted(dtypes & _BITS, key=lambda each: each.name)),
        seen=(*seen, _seen(step.result)),
        number=numpy_dtype(step.compute),
        untyped=tuple(isinstance(given, type) for given in step.inputs),
    )


def _operand_dtypes(step: Step) -> list[type[dt.Shaped]]:
    """The dtype of each operand. A number has the dtype to which it is cast."""
    return [step.compute if isinstance(given, type) else dtype_of(given) for given in step.inputs]


def _seen(dtype: type[dt.Shaped]) -> np.dtype[Any]:
    return np.dtype(f"u{numpy_dtype(dtype).itemsize}") if dtype in _BITS else numpy_dtype(dtype)


def _number_seen(compute: type[dt.Shaped]) -> np.dtype[Any]:
    """A number is widened before it is passed."""
    return np.dtype(np.float32) if _is_small(compute) else numpy_dtype(compute)


def _is_small(dtype: type[dt.Shaped]) -> bool:
    return dtype in _BITS or dtype is dt.float16


def _widened(name: str, dtype: type[dt.Shaped], compute: type[dt.Shaped], *, number: bool) -> str:
    """The operand in C's type, after a cast to the dtype of the operation, which may round."""
    if number:
        return name
    value = _from(dtype, name)
    if _is_small(compute):
        return value if holds(compute, dtype) and dtype.kind == "f" else _from(compute, _to(compute, f"(float){value}"))
    return f"({C_TYPES[compute.name]}){value}"


def _from(dtype: type[dt.Shaped], value: str) -> str:
    return f"from_{dtype.name}({value})" if dtype in _BITS else f"(float){value}" if dtype is dt.float16 else value


def _to(dtype: type[dt.Shaped], value: str) -> str:
    return f"to_{dtype.name}({value})" if dtype in _BITS else f"({C_TYPES[dtype.name]})({value})"
