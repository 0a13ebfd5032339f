"""Mix two recordings: float32 under NumPy, JAX and PyTorch alike. mypy proves it, with these options:

[tool.promo-mypy]
portable_to = ["jax", "torch"]
forbid = ["float64", "complex128"]
"""

import numpy as np
import numpy.typing as npt

Sound = npt.NDArray[np.float32]
Levels = npt.NDArray[np.int32]


def mix(left: Sound, right: Sound, balance: float) -> Sound:
    """Python's own numbers take the dtype of the array beside them in all three libraries."""
    return left * balance + right * (1 - balance)


def fade(sound: Sound, steps: Sound) -> Sound:
    """The steps are float32. As int32 they would make float64 in NumPy, and float32 in JAX and PyTorch."""
    return sound * (1 - steps / 8)


def quieter(levels: Levels, shift: int) -> Levels:
    """Whole numbers stay int32: // and >> are alike everywhere, / is not."""
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
