"""Small floats in C, for kernels that read and write their bits: `from_NAME` widens to float, `to_NAME` rounds a float.

All but bfloat16 use tables, measured from the casts of ml_dtypes, so the bits are equal by construction.
"""

from typing import Any, Final

import numpy as np

from promo_mypy.rules.dtypes import Shaped
from promo_runtime.numpy_dtypes import numpy_dtype

_INFINITY: Final = 0x7F800000
_END: Final = 0x80000000

_BFLOAT16: Final = """
__device__ inline float from_bfloat16(unsigned short x) {
  return __uint_as_float((unsigned int)x << 16);
}
__device__ inline unsigned short to_bfloat16(float v) {
  unsigned int bits = __float_as_uint(v);
  if (v != v) return (unsigned short)((bits >> 16 & 0x8000u) | 0x7fc0u);
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
"""

_BYTES: Final = """
__device__ const unsigned int {name}_values[256] = {{{values}}};
__device__ const unsigned int {name}_steps[2][{size}] = {{{{{positive_steps}}}, {{{negative_steps}}}}};
__device__ const unsigned char {name}_codes[2][{size}] = {{{{{positive_codes}}}, {{{negative_codes}}}}};
__device__ inline float from_{name}(unsigned char x) {{
  return __uint_as_float({name}_values[x]);
}}
__device__ inline unsigned char to_{name}(float v) {{
  unsigned int bits = __float_as_uint(v), sign = bits >> 31, magnitude = bits & 0x7fffffffu, at = 0;
  for (unsigned int width = {size}; width >>= 1;)  // the last step that the magnitude reaches
    if ({name}_steps[sign][at + width] <= magnitude) at += width;
  return {name}_codes[sign][at];
}}
"""


def small_float(dtype: type[Shaped]) -> str:
    """The two functions for bfloat16 or for a float of one byte."""
    if dtype.name == "bfloat16":
        return _BFLOAT16
    values = np.arange(256, dtype=np.uint8).view(numpy_dtype(dtype)).astype(np.float32).view(np.uint32)
    sides = [_rounding(dtype, values, sign) for sign in (0, _END)]
    size = 1 << max(len(steps) - 1 for steps, _ in sides).bit_length()
    # The entries after the last step are never reached.
    steps = [[*map(int, steps), *[0xFFFFFFFF] * (size - len(steps))] for steps, _ in sides]
    codes = [[*map(int, codes), *[0] * (size - len(codes))] for _, codes in sides]
    return _BYTES.format(
        name=dtype.name,
        size=size,
        values=_listed(values),
        positive_steps=_listed(steps[0]),
        negative_steps=_listed(steps[1]),
        positive_codes=_listed(codes[0]),
        negative_codes=_listed(codes[1]),
    )


def _rounding(dtype: type[Shaped], values: Any, sign: int) -> tuple[Any, Any]:
    """The magnitudes (float32 bits) from which on numbers of one sign round to another byte, with these bytes."""

    def code(magnitudes: Any) -> Any:
        bits = (magnitudes | sign).astype(np.uint32)
        with np.errstate(all="ignore"):
            return bits.view(np.float32).astype(numpy_dtype(dtype)).view(np.uint8)

    # Between two neighbours the byte changes at most once.
    known = np.unique([0, *(values.astype(np.int64) & (_END - 1)), _INFINITY, _INFINITY + 1, _END - 1])
    low, high = known[:-1], known[1:]
    before = code(low)
    low, high, before = (each[before != code(high)] for each in (low, high, before))
    while (high - low > 1).any():
        middle = (low + high) // 2
        changed = code(middle) != before
        low, high = np.where(changed, low, middle), np.where(changed, middle, high)
    steps = np.concatenate([[0], high])
    return steps, code(steps)


def _listed(numbers: Any) -> str:
    return ",".join(f"{number}u" for number in numbers)
