"""bfloat16 on the largest arrays: compiled loops of numba, if that is installed, with the bits that ml_dtypes gives."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import ml_dtypes
import numpy as np

from promo_runtime.float32_kernels import InFloat32
from promo_runtime.pieces import Scratch

BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)
"""The dtype that this is for."""

COMPILED: Final = frozenset({np.add, np.subtract, np.multiply, np.divide, np.sqrt})
"""The ufuncs."""

WORTH_COMPILING: Final = 1 << 22
"""Elements. To import numba and to load or compile a loop takes as long as some hundred such calls save, but once."""

NAN: Final = 0x7FFF
"""What a loop gives for results that are no number: as a signed number, the greatest of all."""

_BITS: Final = np.dtype(np.uint16)


_loops: Final[dict[np.ufunc, Callable[..., Any] | None]] = {}


def _loop(ufunc: np.ufunc) -> Callable[..., Any] | None:
    """None without numba, or with one that is too old for this NumPy."""
    try:
        loops = import_module("promo_runtime.compiled_bfloat16")
    except ImportError:
        return None
    return loops.loop(ufunc)  # type: ignore[no-any-return] # of a module that is imported by its name


@dataclass(frozen=True)
class Compiled(InFloat32):
    """One of `COMPILED` on bfloat16. Once its loop is there, smaller arrays are computed by it, too."""

    @property
    def elements(self) -> int:
        """Scratch is needed for what is not contiguous only, and is smaller."""
        return super().elements if _loops.get(self.ufunc) is None else 1 << 16

    def _fill(self, out: Any, operands: list[Any], *, fresh: bool) -> Any:
        if out.size >= WORTH_COMPILING and self.ufunc not in _loops:  # before several threads ask for it
            _loops[self.ufunc] = _loop(self.ufunc)
        return super()._fill(out, operands, fresh=fresh)

    def piece(self, operands: list[Any], out: Any, scratch: Scratch, *, fresh: bool) -> None:
        """All at once. Which NaN is the result, ml_dtypes says: it computes a piece with one in it."""
        loop = _loops.get(self.ufunc)
        if loop is None:
            super().piece(operands, out, scratch, fresh=fresh)
            return
        ready = [self._in_line(place, self._cast(place, each, scratch), scratch) for place, each in enumerate(operands)]
        codes, stays = out.view(_BITS), fresh and out.flags.c_contiguous
        computed = codes if stays else scratch.array(4, out.shape, _BITS)
        loop(*(each.view(_BITS) for each in ready), out=computed)
        if np.maximum.reduce(computed.view(np.int16), axis=None) == NAN:
            self.ufunc(*ready, out=out)
        elif not stays:
            np.copyto(codes, computed)

    def _in_line(self, place: int, piece: Any, scratch: Scratch) -> Any:
        """The piece without gaps between elements, for which the loop is compiled."""
        if not piece.ndim or piece.flags.c_contiguous:
            return piece
        copied = scratch.array(2 + place, piece.shape, _BITS)
        np.copyto(copied, piece.view(_BITS))
        return copied.view(piece.dtype)
