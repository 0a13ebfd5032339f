"""TensorFlow's tensors through operators, casts and indexing: tensors do not promote, scalars become tensors."""

from typing import Annotated

import numpy as np
import numpy.typing as npt
import tensorflow as tf
from jaxtyping import Float32, Int8


def operators(x: Float32[tf.Tensor, "n"], i: Int8[tf.Tensor, "n"], d: Annotated[tf.Tensor, tf.float64]) -> None:
    scalar = 2.5 * x
    whole = 1 + i
    product = x * x
    quotient = i / i
    power = 2**x
    mask = x < 1
    both = mask & (i == 1)
    negative = -x
    size = abs(d)
    rest = i % 2
    turned = ~both
    x += 1
    again = x
    complex_ = tf.cast(x, tf.complex64) + 1j


def casts(x: Float32[tf.Tensor, "n"], i: Int8[tf.Tensor, "n"]) -> None:
    by_name = tf.cast(x, tf.float16)
    by_string = tf.cast(x, "int64")
    by_other = tf.cast(x, i.dtype)
    item = x[0]
    part = i[1:]


def mixed(x: Float32[tf.Tensor, "n"], n: npt.NDArray[np.int64], s: np.float64) -> None:
    left = x + n
    right = n * x
    scalar = x * s


def main() -> None:
    x = tf.ones([2], dtype=tf.float32)
    i = tf.cast(tf.ones([2]), tf.int8)
    operators(x, i, tf.ones([2], dtype=tf.float64))
    casts(x, i)
    mixed(x, np.ones(2, np.int64), np.float64(1))


if __name__ == "__main__":
    main()
