"""Paddle tensors through operators, casts, methods and indexing, where a 0-D tensor counts as a scalar."""

from typing import Annotated

import numpy as np
import paddle
from jaxtyping import Float32, Float64, Int8, Int64


def operators(
    x: Float32[paddle.Tensor, "n"],
    d: Float64[paddle.Tensor, "n"],
    i: Annotated[paddle.Tensor, paddle.int64],
    z: Float64[paddle.Tensor, ""],
    k: Int64[paddle.Tensor, ""],
    b: Int8[paddle.Tensor, "n"],
) -> None:
    wider = x * d
    scalar = 2.5 * x
    quotient = i / i
    mask = x < 1
    negative = -x
    complex_ = x * 1j
    yields = x + z
    whole = b + k
    scalars = k * z
    dot = x @ x
    x += 1
    again = x
    half = b + b
    half /= 2  # rebinds the name
    floats = half


def ranks(x: Float32[paddle.Tensor, "n m"], d: Float64[paddle.Tensor, "n m"], b: Int8[paddle.Tensor, "n m"]) -> None:
    first = x + d[0, 0]
    row = x + d[0]
    cell = b + b.astype("int64")[1, 1]
    reshaped = x + d.reshape([6])[0]
    turned = x.T + d.T
    masked = x[0, 0] + d[0, 0]


def casts(x: Float32[paddle.Tensor, "n"], i: Int8[paddle.Tensor, "n"]) -> None:
    by_name = x.astype(paddle.float16)
    by_string = x.cast("int64")
    by_class = x.astype(np.float64)
    by_function = paddle.cast(x, "float64")
    by_other = x.astype(i.dtype)
    fixed = i.float()
    old_name = x.astype("uint16")
    for part in x:
        looped = part


def main() -> None:
    x = paddle.ones([2], dtype="float32")
    d = paddle.ones([2], dtype="float64")
    i = paddle.ones([2], dtype="int64")
    b = paddle.ones([2], dtype="int8")
    operators(x, d, i, paddle.to_tensor(1.0, dtype="float64"), paddle.to_tensor(1, dtype="int64"), b)
    ranks(*(paddle.ones([2, 3], dtype=dtype) for dtype in ("float32", "float64", "int8")))
    casts(x, b)


if __name__ == "__main__":
    main()
