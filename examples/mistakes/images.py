"""Mistakes with NumPy's dtypes, one in each function. report.txt has mypy's report."""
# mypy: enable-error-code="promo-widening, promo-precision, promo-nonassociative, promo-wrapping, promo-write"

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Light = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


def normalise(image: Image) -> Light:
    """A byte divided by a Python int is a float64: eight times the memory of the image."""
    return image / 255


def brighten(image: Image) -> Image:
    """300 does not fit into uint8."""
    return image + 300


def fade(image: Image) -> Image:
    """The target keeps its dtype, which cannot hold the float result."""
    image *= 0.5
    return image


def difference(before: Mask, after: Mask) -> Mask:
    """NumPy does not support - for bool."""
    return after - before


def shift(identifiers: npt.NDArray[np.uint64], offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """No integer dtype holds both, so NumPy uses float64, which holds neither exactly."""
    return identifiers + offsets


def exposure(light: Light, microseconds: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """The declared dtype is right, but promo-widening reports the wider result."""
    return light * microseconds


def offset(depth: npt.NDArray[np.float16]) -> npt.NDArray[np.float16]:
    """70000 is infinite in float16."""
    return depth + 70000


def total(depth: npt.NDArray[np.float16], step: npt.NDArray[np.int8], image: Image) -> npt.NDArray[np.float16]:
    """float16 from left to right; with (step + image) first it would be float32."""
    return depth + step + image


def compare(image: Image) -> Light:
    """A float64 array with a declared dtype of float32."""
    return normalise(image) + exposure(normalise(image), np.ones(3, np.int32))


def change(before: Image, after: Image) -> Image:
    """Where the second image is darker, the unsigned difference wraps around."""
    return after - before


def mark(image: Image, seen: Mask) -> Image:
    """The items are cast to the dtype of the array: 0.7 becomes 0."""
    image[seen] = 0.7
    return image
