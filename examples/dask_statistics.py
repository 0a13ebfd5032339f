"""Statistics of a picture larger than memory, in blocks: uint8 pixels, float32 results, no float64 block."""

import dask.array as da
import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float32, UInt8, UInt16

Pixels = UInt8[da.Array, "rows columns"]
Levels = Float32[da.Array, "rows columns"]


def normalised(pixels: Pixels, dark: npt.NDArray[np.float32]) -> Levels:
    """Levels from 0 to 1, minus the dark frame, which is an array in memory."""
    levels = pixels.astype(np.float32) / 255
    return levels - dark


def brightest(levels: Levels, limit: float) -> Bool[da.Array, "rows columns"]:
    """The pixels whose level is above the limit, or close to it along a row."""
    above = levels > limit
    return above | (levels * 1.25 > limit)


def doubled(pixels: Pixels) -> UInt16[da.Array, "rows columns"]:
    """Twice the value; uint8 would overflow, uint16 does not."""
    wide = pixels.astype(np.uint16)
    wide += pixels
    return wide


def main() -> None:
    """A bright picture in four blocks, with a dark frame that grows from left to right."""
    pixels: Pixels = da.ones((8, 8), dtype=np.uint8, chunks=4) * np.uint8(200)
    dark = np.linspace(0, 0.3, 64, dtype=np.float32).reshape(8, 8)
    levels = normalised(pixels, dark)
    lit = np.asarray(brightest(levels, limit=0.8))
    twice = np.asarray(doubled(pixels))
    print(levels.dtype, lit.sum(), twice.dtype, twice.max())


if __name__ == "__main__":
    main()
