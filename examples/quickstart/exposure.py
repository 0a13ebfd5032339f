"""Merge two photographs of different exposure: small arrays, four dtypes, and the dtypes that NumPy gives.

`mypy examples/quickstart` shows the dtype of every step; `python examples/quickstart/exposure.py` runs it.
"""

from typing import reveal_type

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Light = npt.NDArray[np.float32]


def linear(image: Image) -> Light:
    """Light between 0 and 1: float32 is enough for a sensor that counts to 255."""
    return (image.astype(np.float32) / 255) ** 2


def merge(short: Image, long: Image, trust: Light) -> Image:
    """One image from two exposures; `trust`, from 0 to 1, is the share of the long one."""
    light = linear(long) * trust + linear(short) * (1 - trust)
    reveal_type(light)  # float32: Python numbers do not widen an array
    return (light**0.5 * 255).astype(np.uint8)


def contrast(short: Image, long: Image) -> Light:
    """The additional brightness of the long exposure, relative to the light."""
    change = long.astype(np.int16) - short
    reveal_type(change)  # int16: it holds every uint8, so no value wraps around
    relative = change / (linear(short) + 1)
    reveal_type(relative)  # float32: it holds every int16, so NumPy does not widen
    return relative


def radiance(image: Image, microseconds: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Light per time, with one time for each pixel."""
    rate = linear(image) / microseconds
    reveal_type(rate)  # float64: float32 does not hold every int32, so NumPy uses twice the memory
    return rate


def main() -> None:
    """Merge two images of four pixels."""
    short = np.array([0, 10, 20, 30], dtype=np.uint8)
    long = np.array([0, 80, 160, 240], dtype=np.uint8)
    trust = np.array([1.0, 1.0, 0.5, 0.0], dtype=np.float32)
    times = np.full(4, 250, dtype=np.int32)
    for result in (merge(short, long, trust), contrast(short, long), radiance(long, times)):
        print(result.dtype, result.round(4).tolist())


if __name__ == "__main__":
    main()
