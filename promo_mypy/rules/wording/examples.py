"""An explanation of each diagnostic, and a program that triggers it. Tests check every program."""

from collections.abc import Mapping
from typing import Final

from promo_mypy.rules.records import record
from promo_mypy.rules.wording import diagnostics


@record
class Example:
    """Why a diagnostic matters, and a program that triggers it; a defect of promo-mypy has none.

    `options`: what stands in `[tool.promo-mypy]`.
    """

    why: str
    program: str
    options: str = ""


_NUMPY: Final = "import numpy as np\nfrom numpy.typing import NDArray\n\n\n"
_JAX: Final = "import jax\nimport jax.numpy as jnp\nfrom jaxtyping import Array, BFloat16, Float32\n\n\n"

#: Code -> its example.
EXAMPLES: Final[Mapping[str, Example]] = {
    diagnostics.UNDEFINED.code: Example(
        "The library raises an error when it reaches this operation.",
        f"{_NUMPY}def changed(after: NDArray[np.bool_], before: NDArray[np.bool_]) -> NDArray[np.bool_]:\n"
        "    return after - before\n",
    ),
    diagnostics.OVERFLOW.code: Example(
        "A Python number takes the dtype of the array beside it. If it does not fit, the library raises an error.",
        f"{_NUMPY}def brighter(image: NDArray[np.uint8]) -> NDArray[np.uint8]:\n    return image + 300\n",
    ),
    diagnostics.INPLACE.code: Example(
        "An array keeps its dtype in place. The library raises an error if it cannot cast the result back.",
        f"{_NUMPY}def darken(image: NDArray[np.uint8]) -> None:\n    image *= 0.5\n",
    ),
    diagnostics.ANNOTATION.code: Example(
        "An annotation that contradicts itself promises a dtype that no array can have.",
        "import numpy as np\nfrom jaxtyping import Float32\nfrom numpy.typing import NDArray\n\n\n"
        'def load(table: Float32[NDArray[np.float64], "n"]) -> None: ...\n',
    ),
    diagnostics.TRUNCATION.code: Example(
        "While x64 is off, JAX makes 32-bit arrays where 64-bit ones are asked for, with a warning at most.",
        "import jax.numpy as jnp\n\n\ndef exact() -> None:\n    jnp.zeros(3, dtype=jnp.float64)\n",
    ),
    diagnostics.CARRY.code: Example(
        "The carry of a loop must keep its dtype. JAX raises an error when it traces the loop.",
        f'{_JAX}def total(start: BFloat16[Array, ""], values: Float32[Array, "n"]) -> None:\n'
        "    jax.lax.scan(lambda carry, value: (carry + value, None), start, values)\n",
    ),
    diagnostics.FORBIDDEN.code: Example(
        "A project can forbid a dtype, such as float64 on a GPU. It is reported where it enters a module.",
        f"{_NUMPY}def weights() -> None:\n    np.zeros(3, dtype=np.float64)\n",
        'forbid = ["float64"]',
    ),
    diagnostics.PORTABILITY.code: Example(
        "Under another library the same operation has another dtype, or is rejected.",
        f"{_NUMPY}def mixed(x: NDArray[np.int32], y: NDArray[np.float32]) -> None:\n    x * y\n",
        'portable_to = ["jax"]',
    ),
    diagnostics.WIDENING.code: Example(
        "The result takes more memory than every array that goes in, which is seldom meant.",
        f"{_NUMPY}def scaled(light: NDArray[np.float32], time: NDArray[np.int32]) -> None:\n    light * time\n",
    ),
    diagnostics.PRECISION.code: Example(
        "A float with few bits cannot tell large integers apart: 2**24 + 1 is 2**24 in float32.",
        f"{_NUMPY}def shifted(depth: NDArray[np.float16]) -> None:\n    depth + 70000\n",
    ),
    diagnostics.NONASSOCIATIVE.code: Example(
        "(a + b) + c and a + (b + c) have different dtypes, so a harmless change of the code changes the result.",
        f"{_NUMPY}def summed(a: NDArray[np.float16], b: NDArray[np.int8], c: NDArray[np.uint8]) -> None:\n"
        "    a + b + c\n",
    ),
    diagnostics.WRAPPING.code: Example(
        "An unsigned integer has no numbers below zero: 1 - 2 is 255 in uint8, and abs() of that is 255, too.",
        f"{_NUMPY}def changed(after: NDArray[np.uint8], before: NDArray[np.uint8]) -> None:\n    after - before\n",
    ),
    diagnostics.WRITE.code: Example(
        "An array keeps its dtype when items are written into it: 0.7 becomes 0 among integers, without a warning.",
        f"{_NUMPY}def faded(alpha: NDArray[np.uint8], mask: NDArray[np.bool_]) -> None:\n    alpha[mask] = 0.7\n",
    ),
    diagnostics.MISMATCH.code: Example(
        "The annotation promises a dtype that the value does not have. Whoever relies on it computes with another one.",
        f"{_NUMPY}def centred(image: NDArray[np.float32]) -> NDArray[np.float32]:\n"
        "    mean = np.array([0.485, 0.456, 0.406])\n    return image - mean\n",
    ),
    diagnostics.UNUSED.code: Example(
        "A comment that accepts nothing hides the next mistake in its line. `--report-unused` reports such comments.",
        f"{_NUMPY}def half(image: NDArray[np.float32]) -> NDArray[np.float32]:\n"
        "    return image / 2  # promo: ignore[promo-mismatch] -- NumPy halves in float32\n",
    ),
    diagnostics.FAILURE.code: Example("This is a defect of promo-mypy. Please report it with the code.", ""),
}
