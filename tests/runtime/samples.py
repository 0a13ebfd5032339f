"""Arrays and numbers of every kind for the run-time tests."""

from typing import Any, Final

import numpy as np

import promo_runtime as pr
from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operations import BINARY, COMPARISONS, UNARY
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.numpy_dtypes import numpy_dtype

#: 3, because NumPy squares `x ** 2`, and then bool arrays become int8, which no dtype shows.
PYTHON: Final = {"py_bool": True, "py_int": 3, "py_float": 1.5, "py_complex": 1.5j}
#: Powers, shifts and divisions by these raise in no library, and no result leaves int8 (nor uint2 for ones).
LEFT: Final = [[1, 2], [3, 5]]
RIGHT: Final = [[2, 1], [2, 3]]

ARITHMETIC: Final = sorted(BINARY - COMPARISONS)


def values(dtype: type[Shaped], data: Any = None) -> np.ndarray[Any, Any]:
    """A matrix of that dtype."""
    return np.asarray(LEFT if data is None else data).astype(numpy_dtype(dtype.strong))


def array(system: str, dtype: type[Shaped], data: Any = None) -> pr.Array[Any]:
    """An `Array` of that dtype, weak if the dtype is."""
    return pr.asarray(values(dtype, data), dtype=dtype, system=system)


def own(system: PromotionSystem) -> list[type[Shaped]]:
    """The dtypes that arrays of the system may have: without 64-bit dtypes it has no wide ones."""
    return [dtype for dtype in system.dtypes if system.promote(Operand(dtype)) is dtype]


__all__ = ["ARITHMETIC", "BINARY", "COMPARISONS", "LEFT", "PYTHON", "RIGHT", "UNARY", "array", "own", "values"]
