"""Convert pieces of float16 arrays to float32 and back. Bits equal those of NumPy's casts, which take one number at a
time.
"""

from typing import Any, Final

import numpy as np

# 0-d arrays, which ufuncs read faster than scalars.
_THIRTEEN, _SIGN_AND_MAGNITUDE = (np.array(each, np.int32) for each in (13, 0x8FFFFFFF - (1 << 32)))
_THREE, _SIXTEEN, _SIGN = (np.array(each, np.uint32) for each in (3, 16, 1 << 31))
#: The bits of a float16 are those of a float32, except for the bias of the exponent: 15 instead of 127.
_SCALE, _UNSCALE = (np.array(2.0**each, np.float32) for each in (112, -112))
#: The limits of float16: the least scaled value of infinity and NaN, and the least value that rounds to infinity.
_SPECIAL, _OVERFLOW = np.float32(65536), np.float32(65520)
_EXPONENT, _LEAST_EXPONENT = (np.array(each << 23, np.uint32) for each in (255, 127 - 14))
_ROUNDER: Final = np.array((13 << 23) | (1 << 22), np.uint32)


def widen(piece: Any, wide: Any) -> None:
    """Convert float16 into an array of float32."""
    bits = wide.view(np.int32)
    np.copyto(bits, piece.view(np.int16))
    np.left_shift(bits, _THIRTEEN, bits)  # the magnitude to bits 13 to 27; the sign fills bits 28 to 31
    np.bitwise_and(bits, _SIGN_AND_MAGNITUDE, bits)
    np.multiply(wide, _SCALE, wide)
    if not _within(_SPECIAL, wide):
        np.copyto(wide, piece)


def narrow(wide: Any, piece: Any, spare: Any) -> bool:
    """Round an array of float32 to float16: to nearest, ties to even. The array is overwritten. `spare`: two such
    arrays.

    Return False, without a result, if there are NaNs or numbers that round to infinity.
    It rounds by adding a number whose last place is that of the result. Beside 1.5 * 2**(e + 13), float32 keeps
    multiples of 2**(e - 10), the last place of a float16 of exponent e; subnormal ones have that of e = -14.
    """
    if not _within(_OVERFLOW, wide):
        return False
    rounder, rounded = spare
    bits, exponent, magnitude = wide.view(np.uint32), rounder.view(np.uint32), rounded.view(np.uint32)
    np.bitwise_and(bits, _EXPONENT, exponent)
    np.maximum(exponent, _LEAST_EXPONENT, out=exponent)
    np.add(exponent, _ROUNDER, exponent)
    np.add(wide, rounder, rounded)
    np.subtract(rounded, rounder, rounded)
    np.multiply(rounded, _UNSCALE, rounded)
    np.left_shift(magnitude, _THREE, magnitude)  # from bits 13 to 27 up to bits 16 to 30; the sign is dropped
    np.bitwise_and(bits, _SIGN, bits)  # from before the rounding, which loses it for zeros
    np.bitwise_or(bits, magnitude, bits)
    np.right_shift(bits, _SIXTEEN, bits)
    np.copyto(piece.view(np.uint16), bits, casting="unsafe")
    return True


def _within(limit: Any, wide: Any) -> bool:
    """Whether all magnitudes are below the limit; no NaN is."""
    return bool(np.maximum.reduce(wide, axis=None) < limit and np.minimum.reduce(wide, axis=None) > -limit)
