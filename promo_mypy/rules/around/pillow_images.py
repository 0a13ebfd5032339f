"""The dtypes of Pillow's images, by mode. Source: running Pillow 13.0: `np.asarray(Image.new(mode, (2, 3))).dtype`.

`promo-mypy infer` and `coverage` read this table: mypy does not know the mode of an image.
"""

from collections.abc import Mapping
from typing import Final

from promo_mypy.rules import dtypes as dt

_OF_BYTES: Final = ("L", "P", "RGB", "RGBA", "CMYK", "YCbCr", "LAB", "HSV", "LA", "PA", "RGBX", "RGBa", "La")

MODES: Final[Mapping[str, type[dt.Shaped]]] = {
    "1": dt.bool_, **dict.fromkeys(_OF_BYTES, dt.uint8), "I": dt.int32, "F": dt.float32,
}  # fmt: skip
"""Mode -> the dtype of the array that `np.asarray` makes of an image."""

MAKING: Final = frozenset(f"PIL.Image.{name}" for name in ("open", "new", "fromarray", "frombytes", "merge"))
"""Functions that return an image."""

CLASS: Final = "PIL.Image.Image"
"""The class of images."""

KEEPING: Final = frozenset({"copy", "crop", "resize", "rotate", "transpose"})
"""Methods of an image that return one with the same mode."""
