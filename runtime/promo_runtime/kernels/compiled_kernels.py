"""Compute the largest arrays of bfloat16, and of floats with integers, in loops compiled by numba, if it is installed.

Results equal those of ml_dtypes and NumPy bit by bit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import ml_dtypes
import numpy as np

from promo_runtime.kernels.block_kernels import Casting
from promo_runtime.kernels.float32_kernels import InFloat32
from promo_runtime.kernels.pieces import Scratch

BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)
"""The supported dtype."""

COMPILED: Final = frozenset({np.add, np.subtract, np.multiply, np.divide, np.sqrt})
"""The supported ufuncs."""

COMPILED_CASTS: Final = frozenset({np.add, np.subtract, np.multiply, np.divide})
"""The ufuncs for a float and an integer dtype."""

WITHOUT_SCRATCH: Final = 1 << 18
"""Elements in a piece of bfloat16. Python's overhead is a hundredth of the time, and the piece is still in the cache
when it is searched for NaNs.
"""

WORTH_COMPILING: Final = 1 << 22
"""Number of elements. Importing numba and loading or compiling a loop takes, once, the time that some hundred calls
save.
"""

NAN: Final = 0x7FFF
"""The bits of a NaN result: the greatest of all as a signed number."""

_BITS: Final = np.dtype(np.uint16)


_loops: Final[dict[object, Callable[..., Any] | None]] = {}


def _loop(module: str, *key: Any) -> Callable[..., Any] | None:
    """The loop of a module that needs numba; None without numba, or if numba is too old for this NumPy."""
    try:
        loops = import_module(f"promo_runtime.kernels.{module}")
    except ImportError:
        return None
    return loops.loop(*key)  # type: ignore[no-any-return] # of a module that is imported by name


@dataclass(frozen=True)
class Compiled(InFloat32):
    """One of `COMPILED` on bfloat16. After its loop is loaded, it computes smaller arrays, too."""

    def pieces_of(self, out: Any, operands: list[Any], *, fresh: bool) -> int:
        """Only arrays that are not contiguous need scratch."""
        if _loops.get(self.ufunc) is None:
            return super().pieces_of(out, operands, fresh=fresh)
        return WITHOUT_SCRATCH if fresh and all(_is_ready(each, BFLOAT16) for each in operands) else 1 << 16

    def _fill(self, out: Any, operands: list[Any], *, fresh: bool) -> Any:
        if out.size >= WORTH_COMPILING and self.ufunc not in _loops:  # before several threads need it
            _loops[self.ufunc] = _loop("compiled_bfloat16", self.ufunc)
        return super()._fill(out, operands, fresh=fresh)

    def piece(self, operands: list[Any], out: Any, scratch: Scratch, *, fresh: bool) -> None:
        """Compute in one call. ml_dtypes computes a piece that contains a NaN, because it decides which NaN results."""
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
        """A piece without gaps between elements, as the compiled loop requires."""
        if not piece.ndim or piece.flags.c_contiguous:
            return piece
        copied = scratch.array(2 + place, piece.shape, _BITS)
        np.copyto(copied, piece.view(_BITS))
        return copied.view(piece.dtype)


@dataclass(frozen=True)
class CompiledCasting(Casting):
    """One of `COMPILED_CASTS` on a float array and an integer one, in the float's dtype.

    After its loop is loaded, it computes smaller arrays without gaps between elements, too.
    """

    given: tuple[np.dtype[Any], ...]

    def _fill(self, out: Any, operands: list[Any], *, fresh: bool) -> Any:
        key = self.ufunc, self.given, self.result
        if out.size >= WORTH_COMPILING and key not in _loops:  # before several threads need it
            _loops[key] = _loop("compiled_casts", *key)
        return super()._fill(out, operands, fresh=fresh)

    def piece(self, operands: list[Any], out: Any, scratch: Scratch, *, fresh: bool) -> None:
        """Compute in one call, unless an operand is a number or has gaps."""
        loop = _loops.get((self.ufunc, self.given, self.result))
        if loop is None or not all(map(_is_ready, operands, self.given)):
            super().piece(operands, out, scratch, fresh=fresh)
        else:
            loop(*operands, out=out)


def _is_ready(operand: Any, dtype: np.dtype[Any]) -> bool:
    return bool(operand.ndim) and operand.dtype == dtype and operand.flags.c_contiguous
