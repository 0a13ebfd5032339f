"""Convert between the dtypes of the rules and those of NumPy and ml_dtypes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import ml_dtypes
import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import PYTHON_TYPES, numpy_string

DTypeLike: TypeAlias = type[Any] | str | np.dtype[Any]
"""A dtype of the rules, its name or NumPy's, a dtype of NumPy, a scalar type of NumPy, ml_dtypes or Python."""


def _pairs() -> dict[type[dt.Shaped], np.dtype[Any]]:
    pairs = {}
    for dtype in dt.DTYPES.values():
        if dtype.weak:
            continue
        name = {"float128": "longdouble", "complex256": "clongdouble"}.get(dtype.name, dtype.name)
        scalar = getattr(np, name, None) or getattr(ml_dtypes, name, None)
        # The size of longdouble depends on the machine, and NumPy lists only its own: float128 is the one of x86.
        if scalar is not None and np.dtype(scalar).itemsize == dtype.itemsize:
            pairs[dtype] = np.dtype(scalar)
    if np.finfo(np.longdouble).nmant + 1 != dt.float128.precision:
        pairs.pop(dt.float128, None)
        pairs.pop(dt.complex256, None)
    return pairs


NUMPY_DTYPES: Final[Mapping[type[dt.Shaped], np.dtype[Any]]] = MappingProxyType(_pairs())
"""Strong dtype of the rules -> NumPy's dtype."""

_NUMPY: Final = {dtype: NUMPY_DTYPES[dtype.strong] for dtype in dt.DTYPES.values() if dtype.strong in NUMPY_DTYPES}
_DTYPES: Final = {numpy: dtype for dtype, numpy in NUMPY_DTYPES.items()}


class UnknownArrayDtypeError(TypeError):
    """A dtype that the rules do not have, or that NumPy has no arrays of."""


def numpy_dtype(dtype: type[dt.Shaped]) -> np.dtype[Any]:
    """NumPy's dtype for one of the rules; a weak dtype has that of its strong one. Raises UnknownArrayDtypeError."""
    found = _NUMPY.get(dtype)
    if found is None:
        raise UnknownArrayDtypeError(f"NumPy and ml_dtypes {ml_dtypes.__version__} have no arrays of {dtype.name}")
    return found


def dtype_of(numpy: np.dtype[Any]) -> type[dt.Shaped]:
    """The dtype of the rules for one of NumPy, of either byte order. Raises UnknownArrayDtypeError."""
    found = _DTYPES.get(numpy) or _DTYPES.get(numpy.newbyteorder("="))
    if found is None:
        raise UnknownArrayDtypeError(f"arrays of dtype {numpy} do not promote: cast to a number dtype first")
    return found


def read_dtype(given: DTypeLike) -> type[dt.Shaped]:
    """The dtype of the rules for any name of a dtype. Raises UnknownArrayDtypeError, also for a category."""
    if isinstance(given, str):
        found = dt.DTYPES.get(given) or numpy_string(given, swapped=True) or dt.parse(given)
    elif isinstance(given, type) and issubclass(given, dt.Shaped):
        found = given
    elif isinstance(given, type) and given.__module__ == "builtins":
        python = PYTHON_TYPES.get(f"builtins.{given.__name__}")
        if python is None:
            raise UnknownArrayDtypeError(f"{given.__name__} is not a dtype")
        found = python
    else:
        try:
            numpy = np.dtype(given)
        except TypeError as error:
            raise UnknownArrayDtypeError(f"{given!r} is not a dtype: {error}") from error
        found = dtype_of(numpy)
    if not found.exact:
        raise UnknownArrayDtypeError(f"{found.name} is a category: name one of its dtypes")
    return found
