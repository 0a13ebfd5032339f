"""Mix two recordings: the result is float32 in NumPy, JAX and PyTorch. mypy proves it with these options:

[tool.promo-mypy]
portable_to = ["jax", "torch"]
forbid = ["float64", "complex128"]
"""

import numpy as np
import numpy.typing as npt

Sound = npt.NDArray[np.float32]
Levels = npt.NDArray[np.int32]


def mix(left: Sound, right: Sound, balance: float) -> Sound:
    """Python numbers take the dtype of the array beside them in all three libraries."""
    return left * balance + right * (1 - balance)


def fade(sound: Sound, steps: Sound) -> Sound:
    """The steps are float32. With int32 steps the result would be float64 in NumPy, but float32 in JAX and PyTorch."""
    return sound * (1 - steps / 8)


def quieter(levels: Levels, shift: int) -> Levels:
    """Whole numbers stay int32: // and >> give the same dtype in all libraries, / does not."""
    halved = levels // 2
    return halved >> shift


def main() -> None:
    """Eight samples."""
    steps = np.arange(8, dtype=np.float32)
    left = np.full(8, 0.5, dtype=np.float32)
    right = np.full(8, -0.25, dtype=np.float32)
    sound = fade(mix(left, right, 0.75), steps)
    levels = quieter((sound * 1024).astype(np.int32), 2)
    print(sound.dtype, levels.dtype, levels.tolist())


if __name__ == "__main__":
    main()
