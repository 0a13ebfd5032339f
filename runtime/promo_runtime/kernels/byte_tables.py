"""Compute floats of one byte on large arrays by looking up results in a table of all operands, made by the ufunc.

So results equal those of ml_dtypes bit by bit. A table has 64 KiB for two operands, and is made in about a millisecond.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from promo_runtime.kernels.block_kernels import InPieces
from promo_runtime.kernels.pieces import Scratch

_BYTE, _TWO_BYTES = np.dtype(np.uint8), np.dtype(np.uint16)
_EIGHT: Final = np.array(8, np.uint16)


@dataclass(frozen=True)
class _Table:
    results: Any
    """Indexed by the byte of the operand, or by both bytes, the first operand's first."""
    loud: Any
    """The same for whether NumPy may warn about these operands; None if it never warns."""


@lru_cache(maxsize=256)
def _table(ufunc: np.ufunc, dtype: np.dtype[Any], result: np.dtype[Any]) -> _Table:
    values = np.arange(256, dtype=np.uint8).view(dtype)
    operands = [values] if ufunc.nin == 1 else list(np.broadcast_arrays(values[:, None], values))
    with np.errstate(all="ignore"):
        results = ufunc(*operands, signature=(*(dtype,) * ufunc.nin, result))
        wide = [each.astype(np.float32) for each in (*operands, results)]
    # Division by zero and overflow turn finite numbers into infinity (or NaN, without infinity), invalid operations
    # into NaN.
    finite, numbers = (np.logical_and.reduce([test(each) for each in wide[:-1]]) for test in (np.isfinite, _is_number))
    loud = (finite & ~np.isfinite(wide[-1]) | numbers & np.isnan(wide[-1])).ravel()
    return _Table(results.ravel().view(np.uint8), loud if loud.any() else None)


def _is_number(array: Any) -> Any:
    return ~np.isnan(array)


class ByteTable(InPieces):
    """A ufunc on one or two operands of one such dtype, with a result of one byte."""

    def piece(self, operands: list[Any], out: Any, scratch: Scratch, *, fresh: bool) -> None:
        """Look up the results. If NumPy may warn, its own loop computes the piece and warns."""
        del fresh  # all operands are read before the result is written
        table = _table(self.ufunc, self.compute[0], self.result)
        ready = [self._cast(place, piece, scratch) for place, piece in enumerate(operands)]
        codes = [each.view(_BYTE) for each in ready]
        index = codes[0]
        if len(codes) == 2:
            index, other = (scratch.array(place, out.shape, _TWO_BYTES) for place in (2, 3))
            np.copyto(index, codes[0])
            np.left_shift(index, _EIGHT, index)
            np.copyto(other, codes[1])
            np.bitwise_or(index, other, index)
        if table.loud is not None and np.take(table.loud, index, mode="clip").any():
            self.ufunc(*ready, out=out)
        else:
            np.take(table.results, index, out=out.view(_BYTE), mode="clip")  # every index is in the table

    def _cast(self, place: int, piece: Any, scratch: Scratch) -> Any:
        compute = self.compute[place]
        if piece.dtype == compute:
            return piece
        cast = scratch.array(place, piece.shape, compute)
        np.copyto(cast, piece, casting="unsafe")
        return cast
