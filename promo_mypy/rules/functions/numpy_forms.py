"""Which functions of NumPy make a scalar or an array of arrays by their ranks, which types do not have."""

from typing import Final

SCALAR_OR_ARRAY: Final = frozenset(
    {
        "choose",
        "corrcoef",
        "cov",
        "einsum",
        "inner",
        "trace",
        "trapezoid",
        "vdot",
        "vecdot",
        *(f"linalg.{name}" for name in ("cond", "det", "matrix_norm", "matrix_rank", "slogdet", "trace", "vecdot")),
    }
)
"""By their names below `numpy`. Results of `dot` and `@` count as arrays."""
