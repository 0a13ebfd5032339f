"""Photon counts under a user-defined lattice, in which no integer becomes a float that cannot hold it. The options:

[tool.promo-mypy]
system = "exact"
systems = { exact = "exact.toml" }
"""

import jax.numpy as jnp
from jaxtyping import Array, Float32, Int8, Int32


def rate(counts: Int32[Array, "n"], dark: Int32[Array, "n"], seconds: Float32[Array, "n"]) -> Float32[Array, "n"]:
    """`counts / seconds` is an error here: float32 holds whole numbers up to 2**24, and counts may be larger."""
    signal = counts - dark
    return signal.astype(jnp.float32) / seconds


def flattened(rates: Float32[Array, "n"], flags: Int8[Array, "n"]) -> Float32[Array, "n"]:
    """float32 holds every int8, so no cast is needed."""
    kept = rates * flags
    return kept * 0.5


def main() -> None:
    """Four pixels, one of them broken."""
    counts = jnp.array([2**24, 2**24 + 1, 2**24 + 2, 2**24 + 3], dtype=jnp.int32)
    dark = jnp.full(4, 2**24, dtype=jnp.int32)
    seconds = jnp.full(4, 2.0, dtype=jnp.float32)
    flags = jnp.array([1, 1, 0, 1], dtype=jnp.int8)
    rates = flattened(rate(counts, dark, seconds), flags)
    print(rates.dtype, rates.tolist())


if __name__ == "__main__":
    main()
