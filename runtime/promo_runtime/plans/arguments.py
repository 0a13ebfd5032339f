"""Convert the arguments of a function to operands of the rules."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from promo_mypy.rules.dtypes import PYTHON_SCALARS, PythonScalar, Shaped, py_int
from promo_mypy.rules.operands import Form, Operand
from promo_runtime.array.array import Array
from promo_runtime.backends import Backend, backend_of
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.numpy_dtypes import DTypeLike, numpy_dtype, read_dtype

_PYTHON: Final = {bool: "py_bool", int: "py_int", float: "py_float", complex: "py_complex"}
PYTHON_NUMBERS: Final = tuple(_PYTHON)


@dataclass(frozen=True, slots=True)
class Argument:
    """An operand, with access to its values."""

    operand: Operand
    backend: Backend | None
    """None for Python numbers."""
    wrapped: bool
    loop_input: Any
    """NumPy's view of it: a dtype, or the type of a Python number."""
    by_class: bool
    """Whether every object of the same class is the same operand."""

    def lasts_for(self, value: Any) -> bool:
        """Whether the class and dtype of the value decide all this. If not, a plan is only valid for one call."""
        return self.wrapped or self.by_class or type(value) is np.ndarray or self.backend is not NUMPY

    @property
    def is_python_int(self) -> bool:
        """Whether its value may be out of range."""
        return self.operand.dtype is py_int


def backends_of(arguments: Iterable[Argument]) -> list[Backend]:
    """The backends of arrays. NumPy scalars fit arrays of any backend; without arrays the backend is NumPy."""
    found = [(each.backend, each.operand.form) for each in arguments if each.backend]
    return [backend for backend, form in found if form is not Form.SCALAR] or [backend for backend, _ in found]


def is_operand(value: object) -> bool:
    """Whether a function accepts the value: an `Array`, an array of a backend, a number of NumPy or Python."""
    return isinstance(value, Array | np.ndarray | np.generic | bool | int | float | complex) or bool(backend_of(value))


def argument(value: Any) -> Argument:
    """The operand for an argument. Raises TypeError if it is neither an array nor a number."""
    if isinstance(value, Array):
        of = value._type
        return Argument(of.operand, of.backend, wrapped=True, loop_input=numpy_dtype(of.dtype), by_class=False)
    backend = backend_of(value)
    if backend is not None:
        dtype = backend.dtype(value)
        scalar = isinstance(value, np.generic)
        form = Form.SCALAR if scalar else Form.ARRAY if value.ndim else Form.ZERO_D
        seen = value.dtype if isinstance(value.dtype, np.dtype) else numpy_dtype(dtype)
        return Argument(Operand(dtype, form), backend, wrapped=False, loop_input=seen, by_class=scalar)
    for python, name in _PYTHON.items():
        if isinstance(value, python):
            number = np.dtype(bool) if python is bool else python
            return Argument(Operand(PYTHON_SCALARS[name]), None, wrapped=False, loop_input=number, by_class=True)
    raise TypeError(f"expected an array or a number, not {type(value).__name__}")


def operand_of(given: Any) -> Operand:
    """The operand that an array, a number or a dtype stands for. Raises TypeError, UnknownDtypeError for a name."""
    if isinstance(given, type) and issubclass(given, PythonScalar):
        return Operand(given)
    if is_dtype(given):
        return Operand(read_dtype(given))
    return argument(given).operand


def is_dtype(given: DTypeLike | Any) -> bool:
    """Whether it names a dtype instead of being a value."""
    return isinstance(given, str | np.dtype) or (
        isinstance(given, type) and (issubclass(given, Shaped | np.generic) or given in PYTHON_NUMBERS)
    )
