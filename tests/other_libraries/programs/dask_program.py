"""Dask arrays through operators, casts, indexing, methods, and NumPy's arrays and scalars."""

from typing import Annotated

import dask.array as da
import numpy as np
import numpy.typing as npt
from jaxtyping import Float32, Int8


def operators(x: Float32[da.Array, "n"], i: Int8[da.Array, "n"], d: Annotated[da.Array, np.float64]) -> None:
    product = x * i
    wider = i + d
    scalar = 2.5 * x
    quotient = i / i
    power = 2**i
    mask = x < 1
    both = mask & (i == 1)
    negative = -x
    size = abs(x)
    shifted = i << 2
    dot = x @ d
    halves, rest = divmod(i, 2)
    total = x * 2
    total += d  # rebinds the name: nothing is computed yet
    again = total
    turned = ~both


def casts(x: Float32[da.Array, "n"], i: Int8[da.Array, "n"]) -> None:
    by_class = x.astype(np.float16)
    by_string = x.astype("<i8")
    by_other = x.astype(i.dtype)
    by_type = i.astype(float)
    column = x[:, None]
    item = i[0]
    reshaped = x.reshape(1, 2).T.ravel()
    real = (x * 1j).real
    for part in x:
        looped = part
    viewed = x.view(np.int32)


def mixed(x: Float32[da.Array, "n"], n: npt.NDArray[np.int64], s: np.int16) -> None:
    left = x + n
    right = n * x
    scalar = x * s
    reflected = s - x
    dot = n @ x


def main() -> None:
    x = da.ones(2, dtype=np.float32, chunks=1)
    i = da.ones(2, dtype=np.int8, chunks=1)
    operators(x, i, da.ones(2))
    casts(x, i)
    mixed(x, np.ones(2, np.int64), np.int16(1))


if __name__ == "__main__":
    main()
