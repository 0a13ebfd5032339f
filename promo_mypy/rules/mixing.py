"""What happens when arrays of two libraries meet in one operator. Measured by running them.

JAX takes over whenever NumPy arrays or scalars are the other operand. PyTorch is not symmetric (2.13 with
NumPy 2.4): `tensor + array` is computed by NumPy, under NumPy's rules, and wrapped as a tensor; `array + tensor`
raises TypeError; a NumPy scalar counts as a Python scalar.
"""

from dataclasses import dataclass
from typing import Final

from promo_mypy.rules import dtypes as dt


@dataclass(frozen=True, slots=True)
class Mixture:
    """Whose arrays come out, whose rules apply, and, if the operation is refused, why."""

    result: str
    rules: str
    refused: str | None = None
    remedy: str = "convert the array with torch.as_tensor first"


#: Operators that PyTorch refuses between a tensor and an ndarray, in either order.
_ORDERING: Final = frozenset({"lt", "le", "gt", "ge"})
_EQUALITY: Final = frozenset({"eq", "ne"})

_NO_OPERATOR: Final = "NumPy and PyTorch define no such operator between an ndarray and a Tensor in this order"


def mix(operation: str, left: str, right: str) -> Mixture | None:
    """How arrays of two libraries combine; None where nobody has measured it."""
    if left == right:
        return Mixture(left, left)
    pair = {left, right}
    if pair == {"jax", "numpy"}:
        return Mixture("jax", "jax")
    if pair == {"torch", "numpy"}:
        if operation in _ORDERING:
            return Mixture("torch", "torch", _NO_OPERATOR)
        if operation in _EQUALITY:
            return Mixture("torch", "numpy")
        if left == "torch":
            return Mixture("torch", "numpy")
        return None if operation == "truediv" else Mixture("torch", "torch", _NO_OPERATOR)
    return None


def torch_scalar(dtype: type[dt.Shaped]) -> type[dt.PythonScalar]:
    """The Python scalar that a NumPy scalar of this dtype stands for beside a tensor.

    PyTorch asks a foreign number for `__index__`, then for `__float__`: numpy.bool and numpy.complex64 (whose
    imaginary part is lost) arrive as floats. numpy.complex128 is a subclass of complex.
    """
    if dtype.kind in "iu":
        return dt.py_int
    return dt.py_complex if dtype is dt.complex128 else dt.py_float
