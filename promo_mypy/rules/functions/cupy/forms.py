"""Which functions of CuPy take what is NumPy's. Source: running CuPy 14.2 on a GPU."""

from typing import Final

from promo_mypy.rules.functions.operator_functions import METHODS

ON_DEVICE: Final = frozenset({"array", "asarray", "asanyarray"})
"""They copy an array of NumPy's to the device, in its dtype."""

TAKING_SCALARS: Final = frozenset({*METHODS["cupy"], "full"})
"""They take a scalar of NumPy's as an array of its dtype."""
