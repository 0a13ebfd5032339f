"""Other names of functions in the libraries: `arctan2` for atan2, `concatenate` for concat.

A namespace has the names of its system's library, so that programs written for NumPy or JAX run unchanged.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

SPELLINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{f"arc{name}": f"a{name}" for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh", "tan2")},
        "absolute": "abs", "conjugate": "conj", "invert": "bitwise_invert", "bitwise_not": "bitwise_invert",
        "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift", "mod": "remainder", "power": "pow",
        "true_divide": "divide", "degrees": "rad2deg", "radians": "deg2rad", "amax": "max", "amin": "min",
        "around": "round", "concatenate": "concat", "row_stack": "vstack", "identity": "eye", "array": "asarray",
        "asanyarray": "asarray", "promote_types": "result_type",
    }
)  # fmt: skip
"""Name -> name in the namespace, mostly the standard's."""

COPYING: Final = frozenset({"array"})
"""Names of functions that always copy."""

INSPECTING: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "iscomplexobj": np.iscomplexobj, "isrealobj": np.isrealobj, "isscalar": np.isscalar, "ndim": np.ndim,
        "size": np.size,
    }
)  # fmt: skip
"""Functions that create no array and do not use the elements."""
