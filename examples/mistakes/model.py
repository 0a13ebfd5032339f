"""Mistakes with JAX's dtypes, one in each function. report.txt has mypy's report."""
# mypy: enable-error-code="promo-widening, promo-precision"

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jaxtyping import Array, BFloat16, Bool, Float16, Float32, Float64, Int32


def descend(weights: BFloat16[Array, "n"], slope: Float32[Array, "n"]) -> BFloat16[Array, "n"]:
    """The new weights are float32: twice the memory after the first step."""
    return weights - slope * 0.1


@jax.jit
def mean(counts: Int32[Array, "n"], size: Int32[Array, ""]) -> Int32[Array, "n"]:
    """/ turns integers into floats."""
    return counts / size


def exact(values: Float32[Array, "n"]) -> Float64[Array, "n"]:
    """Without jax_enable_x64 this is float32, whatever the cast says."""
    return values.astype(jnp.float64)


def mix(half: Float16[Array, "n"], brain: BFloat16[Array, "n"]) -> Float32[Array, "n"]:
    """Neither dtype holds the other, so JAX widens."""
    return half + brain


def index(values: Float32[Array, "n"], places: Int32[Array, "n"]) -> Float32[Array, "n"]:
    """Integers above 2**24 lose their last digits."""
    return values + places


def toggle(on: Bool[Array, "n"], off: Bool[Array, "n"]) -> Bool[Array, "n"]:
    """JAX does not support - for bool."""
    return on - off


def scale(values: Float32[Array, "n"], power: Int32[Array, "n"]) -> Float32[Array, "n"]:
    """The bits of a float cannot be shifted."""
    return values << power


def total(values: Float32[Array, "n"], start: BFloat16[Array, ""]) -> BFloat16[Array, ""]:
    """The sum is float32 after the first value. JAX rejects a loop that changes the dtype of its carry."""
    last, _ = jax.lax.scan(lambda carry, value: (carry + value, None), start, values)
    return last


def use(half: Float16[Array, "n"], size: Int32[Array, ""]) -> Int32[Array, "n"]:
    """A float16 array for an int32 parameter of a jitted function."""
    return mean(half, size)


def load(table: Float32[npt.NDArray[np.float64], "n"]) -> None:
    """The annotation names both float32 and float64."""
