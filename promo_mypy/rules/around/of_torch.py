"""Functions for PyTorch's tensors. Source: running torchaudio 2.11 and torchvision 0.28.

Images of Pillow, which some of these functions take, too, are no tensors to the rules.
"""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around.tables import Table, rows
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Fixed, OfArray


def _floats(name: str) -> Rule:
    return Converted(OfArray(name), "buic=unknown")


_WIDENED: Final = "bfloat16=float32 float16=float32 buic=unknown"
_IMAGE: Final = OfArray("img")
_RESIZED: Final = "interpolation=None, max_size=None, antialias=True"

_OF_IMAGES: Final = rows(
    "torch",
    "torchvision.transforms.functional",
    ("normalize", "img, mean, std, inplace=False", _floats("img")),
    ("resize", f"img, size, {_RESIZED}", _IMAGE),
    ("crop", "img, top, left, height, width", _IMAGE),
    ("center_crop", "img, output_size", _IMAGE),
    ("resized_crop", "img, top, left, height, width, size, interpolation=None, antialias=True", _IMAGE),
    ("hflip vflip", "img", _IMAGE),
    ("rotate", "img, angle, interpolation=None, expand=False, center=None, fill=None", _IMAGE),
    ("affine", "img, angle, translate, scale, shear, interpolation=None, fill=None, center=None", _IMAGE),
    ("perspective", "img, startpoints, endpoints, interpolation=None, fill=None", _IMAGE),
    ("pad", "img, padding, fill=0, padding_mode='constant'", _IMAGE),
    ("rgb_to_grayscale", "img, num_output_channels=1", _IMAGE),
    ("adjust_brightness", "img, brightness_factor", _IMAGE),
    ("adjust_contrast", "img, contrast_factor", _IMAGE),
    ("adjust_saturation", "img, saturation_factor", _IMAGE),
    ("adjust_sharpness", "img, sharpness_factor", _IMAGE),
    ("adjust_hue", "img, hue_factor", _floats("img")),
    ("adjust_gamma", "img, gamma, gain=1", _floats("img")),
    ("gaussian_blur", "img, kernel_size, sigma=None", _IMAGE),
    ("erase", "img, i, j, h, w, v, inplace=False", _IMAGE),
    ("convert_image_dtype", "image, dtype=None", Asked(Fixed(dt.float32))),
)
_OF_BOXES: Final = rows(
    "torch",
    "torchvision.ops",
    (
        "box_iou generalized_box_iou complete_box_iou",
        "boxes1, boxes2",
        Converted(Promoted("boxes1 boxes2"), _WIDENED),
    ),
    ("box_area", "boxes", Converted(OfArray("boxes"), _WIDENED)),
    ("box_convert", "boxes, in_fmt, out_fmt", _floats("boxes")),
    ("clip_boxes_to_image", "boxes, size", _floats("boxes")),
    ("remove_small_boxes", "boxes, min_size", Fixed(dt.int64)),
    ("masks_to_boxes", "masks", Fixed(dt.float32)),
    ("sigmoid_focal_loss", "inputs, targets, alpha=0.25, gamma=2, reduction='none'", _floats("inputs")),
    ("stochastic_depth", "input, p, mode, training=True", _floats("input")),
)
_OF_UTILITIES: Final = rows(
    "torch",
    "torchvision.utils",
    (
        "make_grid",
        "tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0",
        OfArray("tensor"),
    ),
)
_FLOAT: Final = Default("f")
_OF_AUDIO: Final = rows(
    "torch",
    "torchaudio.functional",
    ("amplitude_to_DB", "x, multiplier, amin, db_multiplier, top_db=None", _floats("x")),
    ("DB_to_amplitude", "x, ref, power", _floats("x")),
    ("melscale_fbanks", "n_freqs, f_min, f_max, n_mels, sample_rate, norm=None, mel_scale='htk'", _FLOAT),
    ("linear_fbanks", "n_freqs, f_min, f_max, n_filter, sample_rate", _FLOAT),
    ("create_dct", "n_mfcc, n_mels, norm", _FLOAT),
    ("mu_law_encoding", "x, quantization_channels", Fixed(dt.int64)),
    ("mu_law_decoding", "x_mu, quantization_channels", _floats("x_mu")),
    (
        "resample",
        "waveform, orig_freq, new_freq, lowpass_filter_width=6, rolloff=0.99, resampling_method='', beta=None",
        _floats("waveform"),
    ),
    ("compute_deltas", "specgram, win_length=5, mode='replicate'", _floats("specgram")),
    ("gain", "waveform, gain_db=1.0", _floats("waveform")),
    ("preemphasis deemphasis", "waveform, coeff=0.97", _floats("waveform")),
    ("lowpass_biquad highpass_biquad", "waveform, sample_rate, cutoff_freq, Q=0.707", _floats("waveform")),
    ("mask_along_axis", "specgram, mask_param, mask_value, axis, p=1.0", OfArray("specgram")),
)

TABLE: Final = Table({**_OF_IMAGES, **_OF_BOXES, **_OF_UTILITIES, **_OF_AUDIO})
