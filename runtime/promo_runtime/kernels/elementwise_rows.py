"""The functions that ufuncs compute: their names in the standard, their operations in the rules, and NumPy's ufuncs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from promo_runtime.functions.availability import LIKE_SUMS
from promo_runtime.functions.function_table import FUNCTIONS
from promo_runtime.kernels.special_values import CORRECTED


@dataclass(frozen=True, slots=True)
class Row:
    """One function: its name in the array API standard, its operation in the rules, and the ufunc that computes it."""

    name: str
    operation: str
    ufunc: np.ufunc
    also: tuple[str, ...] = ()
    """Its name in libraries older than the standard, if it differs from the ufunc's name."""
    standard: bool = False
    """Whether special values follow the array API standard instead of NumPy."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its names in a library, the standard's first."""
        return (self.name, self.ufunc.__name__, *self.also)


_ROWS: Final = (
    Row("add", "add", np.add),
    Row("subtract", "sub", np.subtract),
    Row("multiply", "mul", np.multiply),
    Row("divide", "truediv", np.divide, ("true_divide",)),
    Row("floor_divide", "floordiv", np.floor_divide),
    Row("remainder", "mod", np.remainder),
    Row("pow", "pow", np.power),
    Row("matmul", "matmul", np.matmul),
    Row("bitwise_and", "and", np.bitwise_and),
    Row("bitwise_or", "or", np.bitwise_or),
    Row("bitwise_xor", "xor", np.bitwise_xor),
    Row("bitwise_left_shift", "lshift", np.left_shift),
    Row("bitwise_right_shift", "rshift", np.right_shift),
    Row("equal", "eq", np.equal),
    Row("not_equal", "ne", np.not_equal),
    Row("less", "lt", np.less),
    Row("less_equal", "le", np.less_equal),
    Row("greater", "gt", np.greater),
    Row("greater_equal", "ge", np.greater_equal),
    Row("negative", "neg", np.negative),
    Row("positive", "pos", np.positive),
    Row("abs", "abs", np.absolute),
    Row("bitwise_invert", "invert", np.invert),
)

#: The other functions of the standard that ufuncs compute -> the ufunc, if its name differs.
_UFUNCS: Final = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "atan2": np.arctan2, "conj": np.conjugate,
}  # fmt: skip

_OPERATIONS: Final = {row.operation: row for row in _ROWS}

ROWS: Final[Mapping[str, Row]] = MappingProxyType(
    {
        **_OPERATIONS,
        "power": _OPERATIONS["pow"],  # the function: `bools ** 2` is another dtype than np.power(bools, 2)
        **{
            name: Row(name, "add" if name in LIKE_SUMS else name, _UFUNCS.get(name) or getattr(np, name))
            for name, function in FUNCTIONS.items()
            if function.elementwise
        },
    }
)
"""Operation, or name of a function without an operation -> row. divmod is computed as floordiv and mod."""

VARIANTS: Final[Mapping[tuple[str, str], Row]] = MappingProxyType(
    {
        ("jax-lax", "mod"): Row("remainder", "mod", np.fmod),  # jax.lax.rem has the sign of the dividend
        **{
            ("array-api", operation): replace(row, standard=True)
            for operation, row in ROWS.items()
            if any(name == row.name for name, _ in CORRECTED)
        },
    }
)
"""(root system, operation) -> the row, if that library computes other values for the operator."""

BY_UFUNC: Final[Mapping[Any, str]] = MappingProxyType(
    {
        **{row.ufunc: key for key, row in ROWS.items()},
        **{row.ufunc: operation for operation, row in _OPERATIONS.items()},
        np.divmod: "divmod",
    }
)
"""NumPy's ufunc -> key of its row, that of the operation if there is one."""
