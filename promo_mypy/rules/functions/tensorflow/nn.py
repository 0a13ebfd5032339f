"""TensorFlow's tf.nn and tf.signal. Source: running TensorFlow 2.21 on the CPU."""

from typing import Final

from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Same
from promo_mypy.rules.functions.tensorflow.math import FLOAT8, FLOATS, INEXACT, NUMBERS, REAL, SOLVED, Met, indexed

_FEATURES: Final = Same("features")
_LOGITS: Final = Converted(Same("logits"), FLOATS)
_INPUT: Final = Same("input")
_SIGNAL: Final = Same("input_tensor")
_MOMENT: Final = Converted(Same("x"), f"{NUMBERS} u=refused int8=refused int16=refused")
_CONVOLVED: Final = f"{FLOAT8} int32=int32 buic=refused"
_COMPLEX: Final = "buif=refused"

ROWS: Final[Rows] = {
    **table(
        "tensorflow",
        ("relu", "features, name=None", Converted(_FEATURES, REAL)),
        ("relu6", "features, name=None", Converted(_FEATURES, REAL)),
        ("elu selu", "features, name=None", Converted(_FEATURES, FLOATS)),
        ("gelu", "features, approximate=False, name=None", Converted(_FEATURES, FLOATS)),
        ("leaky_relu", "features, alpha=0.2, name=None", Converted(_FEATURES, f"{FLOATS} ui=float")),
        ("silu", "features, beta=1.0", Converted(_FEATURES, INEXACT)),
        ("softmax log_softmax", "logits, axis=None, name=None", _LOGITS),
        ("l2_loss", "t, name=None", Converted(Same("t"), FLOATS)),
        ("dropout", "x, rate, noise_shape=None, seed=None, name=None", Converted(Same("x"), FLOATS)),
        ("bias_add", "value, bias, data_format=None, name=None", Converted(Met("value bias"), NUMBERS)),
        ("conv2d", "input, filters, strides, padding, data_format='NHWC', dilations=None, name=None",
         Converted(Met("input filters"), _CONVOLVED)),
        ("max_pool2d", "input, ksize, strides, padding, data_format='NHWC', name=None",
         Converted(_INPUT, f"{REAL} uint32=refused uint64=refused")),
        ("avg_pool2d", "input, ksize, strides, padding, data_format='NHWC', name=None", Converted(_INPUT, FLOATS)),
        ("moments", "x, axes, shift=None, keepdims=False, name=None",
         Several.of(_MOMENT, _MOMENT)),
        ("softmax_cross_entropy_with_logits", "labels, logits, axis=-1, name=None", _LOGITS),
        ("sparse_softmax_cross_entropy_with_logits", "labels, logits, name=None",
         indexed(_LOGITS, "labels", narrow=False)),
        ("sigmoid_cross_entropy_with_logits", "labels=None, logits=None, name=None",
         Converted(Met("labels logits"), FLOATS)),
        ("embedding_lookup", "params, ids, max_norm=None, name=None", indexed(Same("params"), "ids")),
        under="nn",
    ),
    **table(
        "tensorflow",
        ("fft ifft fft2d ifft2d fft3d ifft3d", "input, name=None", Converted(_INPUT, _COMPLEX)),
        ("rfft rfft2d rfft3d", "input_tensor, fft_length=None, name=None",
         Converted(_SIGNAL, f"{SOLVED} c=refused f=complexed")),
        ("irfft irfft2d irfft3d", "input_tensor, fft_length=None, name=None", Converted(_SIGNAL, f"{_COMPLEX} c=real")),
        ("fftshift ifftshift", "x, axes=None, name=None", Same("x")),
        ("hann_window hamming_window", "window_length, periodic=True, dtype=None, name=None",
         Asked(Default("f"), table=FLOATS)),
        under="signal",
    ),
}  # fmt: skip
