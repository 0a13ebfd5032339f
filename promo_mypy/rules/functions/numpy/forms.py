"""What functions of NumPy make of their arrays beside the dtype: a scalar or an array, an ndarray of any array."""

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


def keeps_an_index(subscripts: str) -> bool:
    """Whether the result of `einsum` has a dimension for sure: `...` may stand for none.

    Without an arrow the result has the letters that stand once.
    """
    operands, arrow, result = subscripts.replace(" ", "").partition("->")
    kept = result if arrow else [letter for letter in operands if operands.count(letter) == 1]
    return any(letter.isalpha() for letter in kept)


CONVERTING: Final = frozenset(
    ["array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "asarray_chkfinite", "require"]
)
"""Functions that make an ndarray of any library's array, with its dtype. Source: Dask, PyTorch, array-api-strict."""
