"""Merge two photographs of different exposure: small arrays, three dtypes, and what NumPy makes of them.

`mypy examples/quickstart` shows the dtype of every step; `python examples/quickstart/exposure.py` runs it.
"""

from typing import reveal_type

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Weights = npt.NDArray[np.float32]


def linear(image: Image) -> Weights:
    """Brightness between 0 and 1, in the precision that the sensor deserves."""
    scaled = image.astype(np.float32) / 255
    return scaled**2


def merge(short: Image, long: Image, weights: Weights) -> Image:
    """The weighted mean of two exposures, as an image again."""
    bright = linear(long) * weights + linear(short) * (1 - weights)
    reveal_type(bright)  # float32: Python numbers do not widen an array
    counts = short + np.int16(1)
    reveal_type(counts)  # int16: the least type that holds both
    share = counts / (weights + 1)
    reveal_type(share)  # float32: NumPy puts an int16 beside a float32 without widening
    wide = bright * long.astype(np.int32)
    reveal_type(wide)  # float64: an int32 does not fit into a float32
    return (bright * 255).astype(np.uint8)


def main() -> None:
    """Merge two images of four pixels."""
    short = np.array([0, 10, 20, 30], dtype=np.uint8)
    long = np.array([0, 80, 160, 240], dtype=np.uint8)
    weights = np.array([0.0, 0.25, 0.5, 1.0], dtype=np.float32)
    print(merge(short, long, weights))


if __name__ == "__main__":
    main()
