"""Arrays of array-api-strict through operators, casts, indexing and attributes."""

from typing import Annotated

import array_api_strict as xp
from array_api_strict._array_object import Array
from jaxtyping import Float32, Int8


def operators(x: Float32[Array, "n"], i: Int8[Array, "n"], d: Annotated[Array, xp.float64]) -> None:
    wider = x * d
    scalar = 2.5 * x
    whole = i + 1
    power = 2**i
    mask = x < 1
    both = mask & (i == 1)
    negative = -x
    size = abs(x * 1j)
    shifted = i << 2
    dot = x @ d
    x += 1
    x *= x
    again = x
    turned = ~both


def casts(x: Float32[Array, "n"], i: Int8[Array, "n"]) -> None:
    double = xp.astype(x, xp.float64)
    whole = xp.astype(x, i.dtype)
    column = x[:, None]
    item = i[0]
    turned = column.T
    swapped = column.mT
    moved = x.to_device(x.device)
    for part in x:
        looped = part


def main() -> None:
    x = xp.ones(2, dtype=xp.float32)
    i = xp.ones(2, dtype=xp.int8)
    operators(x, i, xp.ones(2, dtype=xp.float64))
    casts(x, i)


if __name__ == "__main__":
    main()
