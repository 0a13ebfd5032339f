"""Compute large arrays of bfloat16 and float16 in float32, and round the results once more.

For + - * / and square root that gives the correctly rounded result. For p bits, 2p + 2 are enough (Figueroa 1995), and
float32 has 24 where bfloat16 has 8 and float16 has 11. The subnormal numbers of float16 are normal in float32. Those of
bfloat16 are not: a result that has q < 8 bits there has q + 16 in float32. But then sums are exact, as multiples of the
least subnormal, and so are products, which have 16 bits; and x / y is off a midpoint m of q + 1 bits by at least a unit
of the product m * y, which has q + 9 bits: float32's rounding does not take it there.
"""

from typing import Any, Final

import ml_dtypes
import numpy as np

from promo_runtime.kernels import half_floats
from promo_runtime.kernels.block_kernels import InPieces
from promo_runtime.kernels.pieces import Scratch

SMALL_FLOATS: Final = frozenset({np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16)})
"""The supported dtypes."""

EXACT: Final = frozenset(
    {
        np.add, np.subtract, np.multiply, np.divide, np.sqrt,
        np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal,
    }
)  # fmt: skip
"""The supported ufuncs."""

_FLOAT16, _FLOAT32 = np.dtype(np.float16), np.dtype(np.float32)


class InFloat32(InPieces):
    """One of `EXACT` on operands of one of `SMALL_FLOATS`, to the same dtype or to bool."""

    @property
    def elements(self) -> int:
        """The number for which 4 threads need less than 2 MiB of scratch: a float32 array for each operand, two more
        for float16.
        """
        return 3 << 13 if self.compute[0] == _FLOAT16 else 3 << 14

    def piece(self, operands: list[Any], out: Any, scratch: Scratch, *, fresh: bool) -> None:
        """Widen, compute, narrow. The dtype's own loop computes a piece that contains a NaN: compilers choose which of
        two NaNs results, and the loops of two dtypes may be compiled differently.
        """
        del fresh  # the result is written last
        ready = [self._cast(place, piece, scratch) for place, piece in enumerate(operands)]
        wide = [self._widened(place, piece, scratch) for place, piece in enumerate(ready)]
        if self.result == np.bool_:
            self.ufunc(*wide, out=out)
            return
        computed = scratch.array(0, out.shape, _FLOAT32)  # in place of the first operand
        self.ufunc(*wide, out=computed)
        if self.result == _FLOAT16:
            done = half_floats.narrow(computed, out, scratch.array(4, (2, *out.shape), _FLOAT32))
        else:
            done = not np.isnan(np.maximum.reduce(computed, axis=None))
            if done:
                np.copyto(out, computed, casting="unsafe")
        if not done:
            self.ufunc(*ready, out=out)

    def _cast(self, place: int, piece: Any, scratch: Scratch) -> Any:
        if piece.dtype == self.compute[place]:
            return piece
        cast = scratch.array(2 + place, piece.shape, self.compute[place])
        np.copyto(cast, piece, casting="unsafe")
        return cast

    def _widened(self, place: int, piece: Any, scratch: Scratch) -> Any:
        if piece.ndim == 0:
            return piece.astype(_FLOAT32)
        wide = scratch.array(place, piece.shape, _FLOAT32)
        if piece.dtype == _FLOAT16:
            half_floats.widen(piece, wide)
        else:
            np.copyto(wide, piece)
        return wide
