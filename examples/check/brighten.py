"""A mistake that is easy to make: int32 times float32 is float64 in NumPy."""

import numpy as np
from numpy.typing import NDArray


def brighten(image: NDArray[np.float32], steps: NDArray[np.int32]) -> NDArray[np.float32]:
    """Add a tenth of the light for each step."""
    gain = 1 + steps * np.float32(0.1)
    return image * gain
