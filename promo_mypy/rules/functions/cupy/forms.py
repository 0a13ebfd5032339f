"""The functions of CuPy that accept NumPy arrays or scalars. Source: running CuPy 14.2 on a GPU."""

from typing import Final

from promo_mypy.rules.functions.operator_functions import METHODS

ON_DEVICE: Final = frozenset({"array", "asarray", "asanyarray"})
"""They copy a NumPy array to the device and keep its dtype."""

TAKING_SCALARS: Final = frozenset({*METHODS["cupy"], "full"})
"""They convert a NumPy scalar to an array of its dtype."""
