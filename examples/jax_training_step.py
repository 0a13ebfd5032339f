"""One training step of a linear model in JAX, with jaxtyping annotations that mypy reads."""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, BFloat16, Float32, Int32, UInt8


@jax.jit
def normalise(images: UInt8[Array, "batch pixel"]) -> Float32[Array, "batch pixel"]:
    """Convert bytes to floats around zero."""
    return images.astype(jnp.float32) / 127.5 - 1


@jax.jit
def predict(
    images: Float32[Array, "batch pixel"], weights: BFloat16[Array, "pixel"], bias: Float32[Array, ""]
) -> Float32[Array, "batch"]:
    """The model: weights are stored in half the memory, the sum is exact."""
    return images @ weights + bias


@partial(jax.jit, static_argnames="rate")
def step(
    images: UInt8[Array, "batch pixel"],
    labels: Int32[Array, "batch"],
    weights: BFloat16[Array, "pixel"],
    bias: Float32[Array, ""],
    rate: float = 0.1,
) -> tuple[BFloat16[Array, "pixel"], Float32[Array, ""]]:
    """Weights and bias after one step of gradient descent on the squared error."""
    inputs = normalise(images)
    error = predict(inputs, weights, bias) - labels  # float32 - int32 is float32 in JAX, not float64
    slope = inputs.T @ error * (2 / len(labels))
    total: Float32[Array, ""] = error.mean()
    # Without the cast the weights would be float32, with twice the memory, and mypy would report it.
    change = (slope * rate).astype(jnp.bfloat16)
    return weights - change, bias - 2 * total * rate


def main() -> None:
    """Learn to distinguish bright images from dark ones."""
    bright, dark = jnp.full((4, 8), 200, jnp.uint8), jnp.full((4, 8), 40, jnp.uint8)
    images, labels = jnp.concatenate([bright, dark]), jnp.array([1] * 4 + [-1] * 4, jnp.int32)
    weights, bias = jnp.zeros(8, jnp.bfloat16), jnp.float32(0)
    for _ in range(20):
        weights, bias = step(images, labels, weights, bias, rate=0.05)
    print(weights.dtype, predict(normalise(images), weights, bias).round(1))


if __name__ == "__main__":
    main()
