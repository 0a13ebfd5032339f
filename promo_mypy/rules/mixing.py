"""Operators on arrays of two libraries. Measured by running them.

JAX decides if the other operand is a NumPy array or scalar. PyTorch (2.13 with NumPy 2.4) is not symmetric:

- `tensor + array` is computed by NumPy, under NumPy's rules, and wrapped as a tensor, a bool result as uint8; NumPy
  itself must have the tensor's dtype. The in-place operator does the same and rebinds the name.
- `array + tensor` raises TypeError, but `array / tensor` is `tensor.reciprocal() * array`.
- `==` follows PyTorch in both orders; `!=` compares identities and gives a Python bool; other comparisons raise.
- A NumPy scalar counts as a Python scalar.

Dask decides beside NumPy, under the same rules. array-api-strict rejects foreign arrays on its right; on its
left NumPy computes. Paddle converts an ndarray to a tensor, and reads some NumPy scalars as Python numbers. TensorFlow
converts both to tensors of the dtype of its own operand. CuPy computes with NumPy scalars under its own rules. It
rejects NumPy arrays, which are not on the device, except in `==` and `!=` with a 0-d array.
"""

from collections.abc import Callable, Mapping
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operations import COMPARISONS, IN_PLACE
from promo_mypy.rules.records import record


@record
class Mixture:
    """The library of the result, the rules that apply, and the reason if the operation is rejected.

    Attributes:
        result: the library of the result.
        rules: the library whose promotion rules apply.
        operation: the operation that is looked up in them.
        wrapped: whether NumPy computes and PyTorch wraps the result.
        reciprocal: whether the right operand is replaced by its reciprocal first.
        adopts: whether the NumPy operand is first converted to the dtype of the other one.
        convertible: the dtypes of the NumPy operand for which all this was measured; None for any.
        taken_over: whether NumPy computes an operation that the library rejects, by rules that were not measured.
        refused: why the operation raises for all dtypes; None if it does not.
        takes_scalars: whether it raises only for arrays, and accepts scalars.
        remedy: what to write instead.
    """

    result: str
    rules: str
    operation: str
    wrapped: bool = False
    reciprocal: bool = False
    adopts: bool = False
    convertible: frozenset[type[dt.Shaped]] | None = None
    taken_over: bool = False
    refused: str | None = None
    takes_scalars: bool = False
    remedy: str = "convert the array with torch.as_tensor first"


_ORDERING: Final = COMPARISONS - {"eq", "ne"}
_NO_OPERATOR: Final = "NumPy and PyTorch define no such operator between an ndarray and a Tensor in this order"
_ON_HOST: Final = "CuPy accepts arrays on the device and scalars, but does not convert NumPy arrays"
_STRICT: Final = "array-api-strict accepts only its own arrays and Python scalars"

#: NumPy's dtypes that PaddlePaddle also has.
_SHARED: Final = frozenset(
    {
        *(dt.bool_, dt.uint8, dt.int8, dt.int16, dt.int32, dt.int64),
        *(dt.float16, dt.float32, dt.float64, dt.complex64, dt.complex128),
    }
)


def mix(operation: str, left: str, right: str) -> Mixture | None:
    """How arrays of two libraries combine; None if it was not measured or gives no array."""
    if left == right:
        return Mixture(left, left, operation)
    if {left, right} == {"jax", "numpy"}:
        return Mixture("jax", "jax", operation)
    if "numpy" in (left, right) and "torch" not in (left, right):
        return _with_numpy(operation, left, right)
    if {left, right} != {"torch", "numpy"} or operation == "ne":
        return None
    if operation == "eq":
        return Mixture("torch", "torch", operation)
    if operation in _ORDERING:
        return Mixture("torch", "torch", operation, refused=_NO_OPERATOR)
    if left == "torch":
        return Mixture("torch", "numpy", IN_PLACE.get(operation, operation), wrapped=True)
    if operation == "truediv":
        return Mixture("torch", "numpy", "mul", wrapped=True, reciprocal=True)
    return None if operation == "itruediv" else Mixture("torch", "torch", operation, refused=_NO_OPERATOR)


def _with_numpy(operation: str, left: str, right: str) -> Mixture | None:
    """How arrays of libraries other than JAX and PyTorch combine with NumPy's arrays and scalars."""
    if operation in IN_PLACE and left == "numpy":
        return None
    other = left if right == "numpy" else right
    if other == "dask":
        return Mixture(other, other, operation)
    if other == "array-api" and left == other:
        return Mixture(other, other, operation, refused=_STRICT, remedy="convert the array with xp.asarray first")
    if other == "cupy":
        remedy = "copy the array to the device with cp.asarray first"
        refused = None if operation in ("eq", "ne") else _ON_HOST  # it supports these for a 0-d array
        return Mixture(other, other, operation, refused=refused, takes_scalars=True, remedy=remedy)
    if other == "paddle":
        return Mixture(other, other, operation, convertible=_SHARED)
    if other == "tensorflow":
        known = CONVERTIBLE | {dt.bfloat16}
        taken_over = operation == "truediv" and left == other  # of bools: TensorFlow lets the right operand decide
        return Mixture(other, other, operation, adopts=True, convertible=known, taken_over=taken_over)
    return None


#: The dtypes that `Tensor.__array__` supports: those of NumPy without ml_dtypes.
CONVERTIBLE: Final = frozenset(
    {
        dt.bool_,
        *(dt.uint8, dt.uint16, dt.uint32, dt.uint64),
        *(dt.int8, dt.int16, dt.int32, dt.int64),
        *(dt.float16, dt.float32, dt.float64),
        *(dt.complex64, dt.complex128),
    }
)


def wrapped(dtype: type[dt.Shaped]) -> type[dt.Shaped]:
    """The dtype of the tensor that PyTorch makes from NumPy's result (`Tensor.__array_wrap__`)."""
    return dt.uint8 if dtype is dt.bool_ else dtype


def torch_scalar(dtype: type[dt.Shaped], _beside: frozenset[type[dt.Shaped]]) -> type[dt.PythonScalar]:
    """The Python scalar that a NumPy scalar of this dtype counts as beside a tensor.

    PyTorch calls `__index__` of a foreign number, then `__float__`: numpy.bool and numpy.complex64 (whose
    imaginary part is lost) arrive as floats. numpy.complex128 is a subclass of complex.
    """
    if dtype.kind in "iu":
        return dt.py_int
    return dt.py_complex if dtype is dt.complex128 else dt.py_float


def paddle_scalar(dtype: type[dt.Shaped], beside: frozenset[type[dt.Shaped]]) -> type[dt.PythonScalar] | None:
    """The Python scalar that a NumPy scalar of this dtype counts as beside a Paddle tensor, if any.

    numpy.float64 and numpy.complex128 are subclasses of float and complex. A NumPy int beside a bool tensor gives bool,
    unlike a Python int.
    """
    scalar = _PADDLE_SCALARS.get(dtype)
    return None if scalar is dt.py_int and dt.bool_ in beside else scalar


_PADDLE_SCALARS: Final[Mapping[type[dt.Shaped], type[dt.PythonScalar]]] = {
    dt.int32: dt.py_int,
    dt.int64: dt.py_int,
    dt.float64: dt.py_float,
    dt.complex128: dt.py_complex,
}

#: (dtype of a NumPy scalar, dtypes of the tensor beside it) -> the Python scalar that it counts as.
StandIn = Callable[[type[dt.Shaped], frozenset[type[dt.Shaped]]], type[dt.PythonScalar] | None]

#: The libraries that read NumPy scalars as Python numbers.
SCALARS: Final[Mapping[str, StandIn]] = {
    "torch": torch_scalar,
    "paddle": paddle_scalar,
}


def jax_exponent(
    _bases: frozenset[dt.OperandType], exponents: frozenset[dt.OperandType], is_numpy_scalar: bool, _value: int | None
) -> frozenset[dt.OperandType]:
    """JAX reads a NumPy integer scalar as a Python int in the exponent of a power."""
    is_integer = is_numpy_scalar and all(issubclass(dtype, dt.Integer) for dtype in exponents)
    return frozenset({dt.py_int}) if is_integer else exponents


def numpy_exponent(
    bases: frozenset[dt.OperandType], exponents: frozenset[dt.OperandType], _is_numpy_scalar: bool, value: int | None
) -> frozenset[dt.OperandType]:
    """NumPy keeps bool for an array of bool to the power 2 or True, but not for other powers.

    An unknown int may be 2.
    """
    if dt.bool_ not in bases or exponents != {dt.py_int}:
        return exponents
    if value is None:
        return frozenset({dt.py_bool, dt.py_int})
    return frozenset({dt.py_bool}) if value == 2 else exponents


#: (dtypes of the base, dtypes of the exponent, whether it is a NumPy scalar, its value if known) -> the dtypes that the
#: exponent counts as.
Exponent = Callable[[frozenset[dt.OperandType], frozenset[dt.OperandType], bool, int | None], frozenset[dt.OperandType]]

#: The libraries that read some exponents of `**` as other scalars, by the library of the base, which is an array.
EXPONENTS: Final[Mapping[str, Exponent]] = {
    "jax": jax_exponent,
    "numpy": numpy_exponent,
}

#: The libraries that treat a NumPy scalar differently from a 0-d ndarray.
DISTINGUISHING_SCALARS: Final = SCALARS.keys() | {"cupy"}
