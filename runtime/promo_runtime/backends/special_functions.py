"""Mathematical functions that NumPy lacks, computed with Python's `math` or with NumPy."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np


def _each(function: Callable[[float], float]) -> Callable[[Any], Any]:
    """Apply a function of one number to every element, in double precision: exact for narrower dtypes, but slow."""
    elements = np.frompyfunc(function, 1, 1)
    return lambda x: np.asarray(elements(x.astype(np.float64)), x.dtype)


erf: Final = _each(math.erf)
"""The error function."""


def _xlogy(x: Any, y: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        product = x * np.log(y)
    return np.where((x == 0) & ~np.isnan(y), x.dtype.type(0), product)


SPECIAL: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "erf": erf,
        "erfc": _each(math.erfc),
        "logit": lambda x: np.log(x) - np.log1p(-x),
        "xlogy": _xlogy,
        "rsqrt": lambda x: 1 / np.sqrt(x),
    }
)
"""Name -> function of arrays of a float dtype."""
