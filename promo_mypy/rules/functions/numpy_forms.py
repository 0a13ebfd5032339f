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


def product_is_scalar(subscripts: str) -> bool | None:
    """Whether `einsum` makes a scalar for these subscripts; None if that depends on the dimensions that `...` is for.

    Without an arrow the result has the letters that stand once.
    """
    operands, arrow, result = subscripts.replace(" ", "").partition("->")
    if not arrow:
        result = "".join(letter for letter in operands if letter == "." or operands.count(letter) == 1)
    if any(letter.isalpha() for letter in result):
        return False
    return None if "." in result else True


CONVERTING: Final = frozenset(
    ["array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "asarray_chkfinite", "require"]
)
"""Functions that make an ndarray of any library's array, with its dtype. Source: Dask, PyTorch, array-api-strict."""
