"""Functions for NumPy's arrays.

Source: running librosa 0.11, OpenCV 5.0, scikit-image 0.26 and scikit-learn 1.9 with NumPy 2.4. What depends on values,
or differs between versions, is left out.
"""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around.tables import Table, only, rows
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, OfArray

_FLOAT32: Final = Fixed(dt.float32)
_FLOAT64: Final = Fixed(dt.float64)
_INT64: Final = Fixed(dt.int64)


def _of_floats(name: str, table: str = "") -> Rule:
    """The dtype of a float32 or float64 array, converted by the table; other arrays were not measured."""
    return Converted(only(OfArray(name), "float32 float64"), table)


def _computed(name: str, more: str = "") -> Rule:
    """Integers and bools are computed in float64."""
    return Converted(OfArray(name), f"bui=float64 c=unknown bfloat16=unknown {more}")


_SPECTRUM: Final = "win_length=None, window='hann', center=True"
_OF_SOUND: Final = rows(
    "numpy",
    "librosa",
    (
        "stft",
        f"y, n_fft=2048, hop_length=None, {_SPECTRUM}, dtype=None, pad_mode='constant', out=None",
        Asked(_of_floats("y", "float32=complex64 float64=complex128")),
    ),
    (
        "istft",
        "stft_matrix, hop_length=None, win_length=None, n_fft=None, window='hann', center=True, dtype=None, "
        "length=None, out=None",
        Asked(Converted(only(OfArray("stft_matrix"), "complex64 complex128"), "c=real")),
    ),
    ("amplitude_to_db power_to_db", "S, ref=1.0, amin=None, top_db=80.0", _of_floats("S")),
    ("db_to_power db_to_amplitude", "S_db, ref=1.0", _of_floats("S_db")),
    ("to_mono", "y", _of_floats("y")),
    ("util.normalize", "S, norm=None, axis=0, threshold=None, fill=None", OfArray("S")),
    ("util.fix_length", "data, size, axis=-1", OfArray("data")),
    ("util.frame", "x, frame_length, hop_length, axis=-1, writeable=False, subok=False", OfArray("x")),
    (
        "resample",
        "y, orig_sr, target_sr, res_type='soxr_hq', fix=True, scale=False, axis=-1",
        _of_floats("y"),
    ),
    ("effects.preemphasis", "y, coef=0.97, zi=None", _of_floats("y")),
    ("effects.harmonic effects.percussive", "y", _of_floats("y")),
    (
        "filters.mel",
        "sr, n_fft, n_mels=128, fmin=0.0, fmax=None, htk=False, norm='slaney', dtype=None",
        Asked(_FLOAT32),
    ),
    ("mel_frequencies", "n_mels=128, fmin=0.0, fmax=11025.0, htk=False", _FLOAT64),
    ("fft_frequencies", "sr=22050, n_fft=2048", _FLOAT64),
    ("tone", "frequency, sr=22050, length=None, duration=None, phi=None", _FLOAT64),
    ("chirp", "fmin, fmax, sr=22050, length=None, duration=None, linear=False, phi=None", _FLOAT64),
    ("mu_compress", "x, mu=255, quantize=True", Fixed(dt.int64)),
)
_OF_FEATURES: Final = rows(
    "numpy",
    "librosa.feature",
    (
        "melspectrogram",
        f"y=None, sr=22050, S=None, n_fft=2048, hop_length=512, {_SPECTRUM}, pad_mode='constant', power=2.0, "
        "n_mels=128, fmin=0.0, fmax=None",
        _of_floats("y"),
    ),
    ("mfcc", "y=None, sr=22050, S=None, n_mfcc=20", _of_floats("y")),
    ("chroma_stft", "y=None, sr=22050, S=None", _of_floats("y")),
    ("rms", "y=None, S=None, frame_length=2048, hop_length=512, center=True", _FLOAT32),
    ("zero_crossing_rate", "y, frame_length=2048, hop_length=512, center=True", _FLOAT64),
    ("spectral_centroid spectral_bandwidth spectral_rolloff", "y=None, sr=22050, S=None", _FLOAT64),
)

_IMAGE: Final = "image, force_copy=False"
_SCALED: Final = "float16=float32"
_CONVERSIONS: Final = (
    ("img_as_float", _IMAGE, _computed("image")),
    ("img_as_float32", _IMAGE, _FLOAT32),
    ("img_as_float64", _IMAGE, _FLOAT64),
    ("img_as_ubyte", _IMAGE, Fixed(dt.uint8)),
    ("img_as_uint", _IMAGE, Fixed(dt.uint16)),
    ("img_as_int", _IMAGE, Fixed(dt.int16)),
    ("img_as_bool", _IMAGE, Fixed(dt.bool_)),
)
_OF_IMAGES: Final = {
    **rows("numpy", "skimage", *_CONVERSIONS),
    **rows("numpy", "skimage.util", *_CONVERSIONS, ("invert", "image, signed_float=False", OfArray("image"))),
    **rows(
        "numpy",
        "skimage.color",
        ("rgb2gray rgb2hsv", "rgb, *, channel_axis=-1", _computed("rgb", _SCALED)),
        ("rgb2lab", "rgb, illuminant='D65', observer='2', *, channel_axis=-1", _computed("rgb", _SCALED)),
        ("gray2rgb", "image, *, channel_axis=-1", OfArray("image")),
    ),
    **rows(
        "numpy",
        "skimage.filters",
        ("sobel", "image, mask=None, *, axis=None, mode='reflect', cval=0.0", _computed("image", _SCALED)),
        (
            "gaussian",
            "image, sigma=1.0, *, mode='nearest', cval=0, preserve_range=False, truncate=4.0, channel_axis=None",
            _computed("image", _SCALED),
        ),
    ),
    **rows(
        "numpy",
        "skimage.exposure",
        ("equalize_hist", "image, nbins=256, mask=None", _computed("image", _SCALED)),
        ("equalize_adapthist", "image, kernel_size=None, clip_limit=0.01, nbins=256", _computed("image", _SCALED)),
    ),
    **rows(
        "numpy",
        "skimage.morphology",
        ("skeletonize", "image, *, method=None", Fixed(dt.bool_)),
        ("disk", "radius, dtype=None, *, strict_radius=True, decomposition=None", Asked(Fixed(dt.uint8))),
    ),
    **rows(
        "numpy",
        "skimage.metrics",
        ("mean_squared_error", "image0, image1", _FLOAT64),
        ("peak_signal_noise_ratio", "image_true, image_test, *, data_range=None", _FLOAT64),
    ),
    **rows(
        "numpy",
        "skimage.feature",
        ("canny", "image, sigma=1.0, low_threshold=None, high_threshold=None, mask=None", Fixed(dt.bool_)),
    ),
}

#: OpenCV has no other dtypes, or rejects them, and versions differ in what they do with int64.
_PIXELS: Final = "uint8 int16 uint16 float32 float64"
_OF_OPENCV: Final = rows(
    "numpy",
    "cv2",
    ("resize", "src, dsize, dst=None, fx=0, fy=0, interpolation=1", only(OfArray("src"), _PIXELS)),
    ("GaussianBlur", "src, ksize, sigmaX, dst=None, sigmaY=0, borderType=4", only(OfArray("src"), _PIXELS)),
    ("flip rotate", "src, flipCode", only(OfArray("src"), _PIXELS)),
    (
        "warpAffine warpPerspective",
        "src, M, dsize, dst=None, flags=1, borderMode=0, borderValue=None",
        only(OfArray("src"), _PIXELS),
    ),
    (
        "copyMakeBorder",
        "src, top, bottom, left, right, borderType, dst=None, value=None",
        only(OfArray("src"), _PIXELS),
    ),
    ("dilate erode", "src, kernel, dst=None, anchor=None, iterations=1", only(OfArray("src"), _PIXELS)),
    ("cvtColor", "src, code, dst=None, dstCn=0", only(OfArray("src"), "uint8 float32")),
    ("blur", "src, ksize", only(OfArray("src"), _PIXELS)),
    ("getStructuringElement", "shape, ksize, anchor=None", Fixed(dt.uint8)),
    ("getRotationMatrix2D", "center, angle, scale", _FLOAT64),
    ("getPerspectiveTransform", "src, dst, solveMethod=0", _FLOAT64),
    ("equalizeHist", "src", Fixed(dt.uint8)),
    ("Canny", "image, threshold1, threshold2", Fixed(dt.uint8)),
)  # fmt: skip

_KERNEL: Final = Converted(OfArray("X"), "bui=float64 float16=float64 c=unknown bfloat16=unknown")
_SCALER: Final = Converted(OfArray("X"), "bui=float64 c=unknown bfloat16=unknown")
_OF_LEARNING: Final = {
    **rows(
        "numpy",
        "sklearn.metrics.pairwise",
        # A second array takes part in the dtype: it stands for one that is not given.
        ("euclidean_distances rbf_kernel linear_kernel cosine_similarity", "X", _KERNEL),
        ("manhattan_distances", "X", _FLOAT64),
    ),
    **rows(
        "numpy",
        "sklearn.preprocessing",
        ("normalize", "X, norm='l2', *, axis=1, copy=True", _SCALER),
        ("scale", "X, *, axis=0, with_mean=True, with_std=True, copy=True", _SCALER),
        ("minmax_scale", "X, feature_range=(0, 1), *, axis=0, copy=True", _SCALER),
    ),
    **rows(
        "numpy",
        "sklearn.metrics",
        ("confusion_matrix", "y_true, y_pred, *, labels=None", _INT64),
        ("pairwise_distances_argmin", "X, Y, *, axis=1", _INT64),
    ),
    **rows(
        "numpy",
        "sklearn.utils",
        ("compute_class_weight class_weight.compute_class_weight", "class_weight, *, classes, y", _FLOAT64),
        ("compute_sample_weight class_weight.compute_sample_weight", "class_weight, y, *, indices=None", _FLOAT64),
        ("extmath.softmax", "X, copy=True", only(OfArray("X"), "float16 float32 float64")),
    ),
}

TABLE: Final = Table({**_OF_SOUND, **_OF_FEATURES, **_OF_IMAGES, **_OF_OPENCV, **_OF_LEARNING})
