"""What happens when arrays of two libraries meet in one operator. Measured by running them.

JAX takes over whenever NumPy arrays or scalars are the other operand. PyTorch (2.13 with NumPy 2.4) is not symmetric:

- `tensor + array` is computed by NumPy, under NumPy's rules, and wrapped as a tensor, a bool result as uint8; the
  tensor's dtype has to be one of NumPy's own. In place it does the same and rebinds the name.
- `array + tensor` raises TypeError, but `array / tensor` is `tensor.reciprocal() * array`.
- `==` is PyTorch's in either order; `!=` compares identities and gives a Python bool; the other comparisons raise.
- A NumPy scalar counts as a Python scalar.
"""

from dataclasses import dataclass
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operations import COMPARISONS, IN_PLACE


@dataclass(frozen=True, slots=True)
class Mixture:
    """Whose arrays come out, whose rules apply to which operation, and, if it is refused, why.

    Attributes:
        result: the library of the result.
        rules: the library whose promotion rules answer.
        operation: what is looked up in them.
        wrapped: whether NumPy computes and PyTorch wraps the result.
        reciprocal: whether the right operand is replaced by its reciprocal first.
        refused: why the operation raises whatever the dtypes, or None.
        remedy: what to write instead.
    """

    result: str
    rules: str
    operation: str
    wrapped: bool = False
    reciprocal: bool = False
    refused: str | None = None
    remedy: str = "convert the array with torch.as_tensor first"


_ORDERING: Final = COMPARISONS - {"eq", "ne"}
_NO_OPERATOR: Final = "NumPy and PyTorch define no such operator between an ndarray and a Tensor in this order"


def mix(operation: str, left: str, right: str) -> Mixture | None:
    """How arrays of two libraries combine; None where nobody has measured it or no array comes out."""
    if left == right:
        return Mixture(left, left, operation)
    if {left, right} == {"jax", "numpy"}:
        return Mixture("jax", "jax", operation)
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


#: What `Tensor.__array__` accepts: the dtypes that NumPy has without ml_dtypes.
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
    """The dtype of the tensor that PyTorch makes of NumPy's result (`Tensor.__array_wrap__`)."""
    return dt.uint8 if dtype is dt.bool_ else dtype


def torch_scalar(dtype: type[dt.Shaped]) -> type[dt.PythonScalar]:
    """The Python scalar that a NumPy scalar of this dtype stands for beside a tensor.

    PyTorch asks a foreign number for `__index__`, then for `__float__`: numpy.bool and numpy.complex64 (whose
    imaginary part is lost) arrive as floats. numpy.complex128 is a subclass of complex.
    """
    if dtype.kind in "iu":
        return dt.py_int
    return dt.py_complex if dtype is dt.complex128 else dt.py_float
