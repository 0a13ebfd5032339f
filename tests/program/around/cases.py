"""Calls of the functions in `promo_mypy.rules.around`, each executed for arrays of several dtypes.

A call may have statements before it, separated by "; ". Its arrays are `x` and those of its library.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_OF_JAX: Final = ("bfloat16", "float16", "float32", "int32", "uint8", "bool_", "complex64")
_OF_NUMPY: Final = ("float16", "float32", "float64", "int16", "int32", "int64", "uint8", "uint16", "bool_", "complex64")
_OF_TORCH: Final = ("float16", "bfloat16", "float32", "float64", "uint8", "int64", "bool")


@dataclass(frozen=True)
class Calls:
    """The calls of one library.

    Attributes:
        imports: the statements that import it.
        arrays: the statement that makes the arrays, with "DTYPE" for the name of a dtype.
        dtypes: these names.
        calls: the calls that have rows.
        left_out: calls without a row: values decide their dtype, or the version, or a state.
    """

    imports: str
    arrays: str
    dtypes: tuple[str, ...]
    calls: tuple[str, ...]
    left_out: tuple[str, ...] = ()


_LINEN: Final = (
    "nn.Dense(3OPTIONS)", "nn.DenseGeneral(3OPTIONS)", "nn.Conv(3, (1,)OPTIONS)", "nn.ConvTranspose(3, (1,)OPTIONS)",
    "nn.LayerNorm(OPTIONS)", "nn.RMSNorm(OPTIONS)", "nn.GroupNorm(1OPTIONS)", "nn.BatchNorm(TrueOPTIONS)",
    "nn.Embed(3, 4OPTIONS)",
)  # fmt: skip
_NNX: Final = (
    "nnx.Linear(3, 4, rngs=r", "nnx.LinearGeneral(3, 4, rngs=r", "nnx.Conv(3, 4, (1,), rngs=r",
    "nnx.LayerNorm(3, rngs=r",
    "nnx.RMSNorm(3, rngs=r", "nnx.GroupNorm(3, 1, rngs=r", "nnx.Embed(3, 4, rngs=r",
)  # fmt: skip
_OPTIONS: Final = (
    "", "dtype=jnp.float16", "param_dtype=jnp.float16", "dtype=jnp.float32, param_dtype=jnp.bfloat16",
    "param_dtype=jnp.bfloat16",
)  # fmt: skip


#: A call that executes only within a model is executed there.
_WITHIN_LINEN: Final = """
class Model(nn.Module):
    @nn.compact
    def __call__(self, function):
        return function()


def within(function):
    return Model().init_with_output(k, function)[0]
"""
_WITHIN_HAIKU: Final = """
def within(function):
    model = hk.transform_with_state(function)
    return model.apply(*model.init(k), k)[0]
"""


def _with(layer: str, options: str) -> str:
    text = f", {options}" if options and not layer.endswith("(OPTIONS)") else options
    return layer.replace("OPTIONS", text)


CASES: Final[Mapping[str, Calls]] = {
    "optax": Calls(
        "import jax.numpy as jnp\nimport optax",
        "x = jnp.ones((2, 3), jnp.DTYPE)",
        _OF_JAX,
        (
            "optax.l2_loss(x)", "optax.l2_loss(x, x)", "optax.squared_error(x, x)", "optax.huber_loss(x, x)",
            "optax.huber_loss(x, 1.0)", "optax.log_cosh(x, x)", "optax.cosine_similarity(x, x)",
            "optax.cosine_distance(x, x)", "optax.softmax_cross_entropy(x, x)",
            "optax.softmax_cross_entropy(x, jnp.ones((2, 3)))", "optax.losses.softmax_cross_entropy(x, x)",
            "optax.softmax_cross_entropy_with_integer_labels(x, jnp.array([0, 1]))",
            "optax.sigmoid_binary_cross_entropy(x, x)",
            "optax.sigmoid_binary_cross_entropy(x, jnp.ones((2, 3), jnp.int32))", "optax.sigmoid_focal_loss(x, x)",
            "optax.hinge_loss(x, x)", "optax.kl_divergence(x, x)", "optax.convex_kl_divergence(x, x)",
            "optax.smooth_labels(x, 0.1)", "optax.safe_norm(x, 0.0)", "optax.safe_root_mean_squares(x, 1e-6)",
            "optax.global_norm(x)", "optax.global_norm([x, x])", "optax.tree.norm(x)",
            "optax.tree_utils.tree_l2_norm(x)", "optax.apply_updates(x, x)",
            "optax.apply_updates(x, jnp.ones((2, 3)))", "optax.incremental_update(x, x, 0.1)",
            "optax.incremental_update(x, jnp.ones((2, 3)), 0.1)",
        ),
        (
            "t = optax.adam(0.1); t.update(x, t.init(x))[0]", "optax.cosine_decay_schedule(0.1, 10)(0)",
            "optax.safe_increment(x)", "optax.projections.projection_simplex(x[0])",
        ),
    ),
    "linen": Calls(
        "import flax.linen as nn\nimport jax\nimport jax.numpy as jnp\n\nk = jax.random.key(0)\n" + _WITHIN_LINEN,
        "x = jnp.ones((2, 3), jnp.DTYPE)",
        _OF_JAX,
        (
            *(f"{_with(layer, options)}(x)" for layer in _LINEN for options in _OPTIONS),
            "nn.max_pool(x[None], (1,))", "nn.avg_pool(x[None], (1,))", "nn.relu(x)", "nn.softmax(x)",
            "nn.initializers.zeros(k, (3,))", "nn.initializers.zeros(k, (3,), jnp.DTYPE)",
            "nn.initializers.lecun_normal()(k, (3, 3))", "nn.initializers.normal(0.1)(k, (3,), jnp.DTYPE)",
            "nn.initializers.normal(0.1, jnp.float16)(k, (3,))", "nn.initializers.ones_init()(k, (3,))",
            "nn.initializers.orthogonal()(k, (3, 3))", "nn.initializers.xavier_uniform()(k, (3, 3), jnp.float16)",
            "nn.initializers.constant(1)(k, (3,))", "nn.Dropout(0.5, deterministic=True)(x)",
        ),
    ),
    "nnx": Calls(
        "import jax.numpy as jnp\nfrom flax import nnx\n\nr = nnx.Rngs(0)",
        "x = jnp.ones((2, 3), jnp.DTYPE)",
        _OF_JAX,
        (
            *(f"{layer}{options and ', '}{options})(x)" for layer in _NNX for options in _OPTIONS),
            "nnx.Dropout(0.5)(x, deterministic=True)", "nnx.relu(x)", "nnx.Param(x).value", "nnx.Param(x)[...]",
            "nnx.Param(x).get_value()", "nnx.Param(x) * 2", "x @ nnx.Param(x.T)", "nnx.BatchStat(x) + 1",
            "nnx.Variable(x) * 2",
            "nnx.Cache(x) + 1", "nnx.Intermediate(x) + 1",
            "jnp.sin(nnx.Param(x))",
        ),
        ("nnx.BatchNorm(3, rngs=r)(x)", "nnx.Linear(3, 4, rngs=r).kernel.value"),
    ),
    "haiku": Calls(
        "import haiku as hk\nimport jax\nimport jax.numpy as jnp\n\nk = jax.random.PRNGKey(0)\n" + _WITHIN_HAIKU,
        "x = jnp.ones((2, 3), jnp.DTYPE)",
        _OF_JAX,
        (
            "hk.dropout(k, 0.5, x)", "hk.max_pool(x, 1, 1, 'SAME')", "hk.avg_pool(x, 1, 1, 'SAME')",
            "hk.one_hot(jnp.array([1]), 3)", "hk.get_parameter('w', (3,), init=jnp.zeros)",
            "hk.get_parameter('w', (3,), jnp.DTYPE, init=jnp.zeros)",
            "hk.get_state('w', (3,), jnp.DTYPE, init=jnp.zeros)",
        ),
        ("hk.Linear(3)(x)", "hk.LayerNorm(-1, True, True)(x)"),
    ),
    "torchvision": Calls(
        "import torch\nimport torchvision\nimport torchvision.ops as ops\n"
        "import torchvision.transforms.functional as F",
        "x, b = torch.ones((3, 8, 8)).to(torch.DTYPE), torch.tensor([[0, 0, 4, 4], [1, 1, 5, 5]]).to(torch.DTYPE)",
        _OF_TORCH,
        (
            "F.normalize(x, [0.5] * 3, [0.5] * 3)", "F.resize(x, [4, 4])", "F.crop(x, 0, 0, 2, 2)",
            "F.center_crop(x, [2, 2])", "F.resized_crop(x, 0, 0, 4, 4, [2, 2])", "F.hflip(x)", "F.vflip(x)",
            "F.rotate(x, 10.0)", "F.affine(x, 10.0, [0, 0], 1.0, [0.0])",
            "p = [[0, 0], [7, 0], [7, 7], [0, 7]]; F.perspective(x, p, p)", "F.pad(x, [1])", "F.rgb_to_grayscale(x)",
            "F.adjust_brightness(x, 1.5)", "F.adjust_contrast(x, 1.5)", "F.adjust_saturation(x, 1.5)",
            "F.adjust_sharpness(x, 1.5)", "F.adjust_hue(x, 0.1)", "F.adjust_gamma(x, 0.5)",
            "F.gaussian_blur(x, [3, 3])", "F.erase(x, 0, 0, 2, 2, torch.zeros(3, 2, 2))",
            "F.convert_image_dtype(x, torch.float32)", "F.convert_image_dtype(x)", "ops.box_iou(b, b)",
            "ops.generalized_box_iou(b, b)", "ops.complete_box_iou(b, b)", "ops.box_area(b)",
            "ops.box_convert(b, 'xyxy', 'cxcywh')", "ops.clip_boxes_to_image(b, (4, 4))",
            "ops.remove_small_boxes(b, 1.0)", "ops.masks_to_boxes(x.bool())", "ops.sigmoid_focal_loss(x, x)",
            "ops.stochastic_depth(x, 0.5, 'row')", "torchvision.utils.make_grid(x)",
        ),
    ),
    "torchaudio": Calls(
        "import torch\nimport torchaudio.functional as F",
        "x, s = torch.rand((2, 4096)).to(torch.DTYPE), torch.rand(2, 8, 9).to(torch.DTYPE)",
        _OF_TORCH,
        (
            "F.amplitude_to_DB(s, 10.0, 1e-10, 0.0)", "F.DB_to_amplitude(s, 1.0, 1.0)",
            "F.melscale_fbanks(8, 0.0, 8000.0, 4, 16000)", "F.linear_fbanks(8, 0.0, 8000.0, 4, 16000)",
            "F.create_dct(4, 8, 'ortho')", "F.mu_law_encoding(x, 256)", "F.mu_law_decoding(x, 256)",
            "F.resample(x, 16000, 8000)", "F.compute_deltas(s)", "F.gain(x)", "F.preemphasis(x)", "F.deemphasis(x)",
            "F.lowpass_biquad(x, 16000, 100.0)", "F.highpass_biquad(x, 16000, 100.0)",
            "F.mask_along_axis(s, 2, 0.0, 1)",
        ),
        ("F.fftconvolve(x, x)", "F.pitch_shift(x, 16000, 2)", "F.detect_pitch_frequency(x, 16000)"),
    ),
    "librosa": Calls(
        "import librosa\nimport numpy as np",
        "y, x = np.ones(4096, np.DTYPE), np.ones((8, 5), np.DTYPE)",
        _OF_NUMPY,
        (
            "librosa.stft(y)", "librosa.stft(y, dtype=np.complex128)", "s = librosa.stft(y); librosa.istft(s)",
            "librosa.amplitude_to_db(x)", "librosa.power_to_db(x)", "librosa.db_to_power(x)",
            "librosa.db_to_amplitude(x)", "librosa.to_mono(y)", "librosa.util.normalize(x)",
            "librosa.util.fix_length(y, size=10)", "librosa.util.frame(y, frame_length=8, hop_length=4)",
            "librosa.resample(y, orig_sr=22050, target_sr=11025)", "librosa.effects.preemphasis(y)",
            "librosa.effects.harmonic(y)", "librosa.effects.percussive(y)", "librosa.mu_compress(y / 2)",
            "librosa.filters.mel(sr=22050, n_fft=64, n_mels=4)",
            "librosa.filters.mel(sr=22050, n_fft=64, n_mels=4, dtype=np.float64)", "librosa.mel_frequencies(4)",
            "librosa.fft_frequencies(sr=22050, n_fft=16)", "librosa.tone(440, sr=22050, length=100)",
            "librosa.chirp(fmin=100, fmax=200, sr=22050, length=100)", "librosa.feature.melspectrogram(y=y)",
            "librosa.feature.mfcc(y=y)", "librosa.feature.chroma_stft(y=y)", "librosa.feature.rms(y=y)",
            "librosa.feature.zero_crossing_rate(y)", "librosa.feature.spectral_centroid(y=y)",
            "librosa.feature.spectral_bandwidth(y=y)", "librosa.feature.spectral_rolloff(y=y)",
        ),
        ("librosa.hz_to_mel(y)", "librosa.autocorrelate(y)", "librosa.feature.delta(x, width=3)"),
    ),
    "skimage": Calls(
        "import numpy as np\nimport skimage\nimport skimage.color\nimport skimage.exposure\nimport skimage.feature\n"
        "import skimage.filters\nimport skimage.metrics\nimport skimage.morphology\nimport skimage.transform\n"
        "import skimage.util",
        "x, c = (np.arange(64).reshape(8, 8) % 2).astype(np.DTYPE), np.ones((8, 8, 3), np.DTYPE)",
        _OF_NUMPY[:-1],
        (
            *(f"skimage.{name}(x)" for name in (
                "img_as_float", "img_as_float32", "img_as_float64", "img_as_ubyte", "img_as_uint", "img_as_int",
                "img_as_bool", "util.img_as_float", "util.invert", "color.gray2rgb", "filters.sobel",
                "filters.gaussian", "exposure.equalize_hist", "exposure.equalize_adapthist", "morphology.skeletonize",
                "feature.canny",
            )),
            "skimage.color.rgb2gray(c)", "skimage.color.rgb2hsv(c)", "skimage.color.rgb2lab(c)",
            "skimage.morphology.disk(2)", "skimage.metrics.mean_squared_error(x, x)",
            "skimage.metrics.peak_signal_noise_ratio(x, 1 - x, data_range=1)",
        ),
        (
            "skimage.transform.resize(x, (4, 4))", "skimage.transform.resize(x, (4, 4), order=0)",
            "skimage.measure.label(x)", "skimage.morphology.dilation(x)",
        ),
    ),
    "cv2": Calls(
        "import cv2\nimport numpy as np",
        "x = np.arange(16).reshape(4, 4).astype(np.DTYPE)",
        _OF_NUMPY,
        (
            "cv2.resize(x, (4, 4))", "cv2.GaussianBlur(x, (3, 3), 0)", "cv2.flip(x, 1)", "cv2.rotate(x, 1)",
            "cv2.warpAffine(x, np.eye(2, 3), (4, 4))", "cv2.copyMakeBorder(x, 1, 1, 1, 1, 0)",
            "cv2.warpPerspective(x, np.eye(3), (4, 4))",
            "p = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32); cv2.getPerspectiveTransform(p, p)",
            "cv2.dilate(x, np.ones((3, 3)))", "cv2.erode(x, np.ones((3, 3)))", "cv2.blur(x, (3, 3))",
            "cv2.cvtColor(np.ones((4, 4, 3), np.DTYPE), 4)", "cv2.getStructuringElement(0, (3, 3))",
            "cv2.getRotationMatrix2D((1, 1), 10, 1)", "cv2.equalizeHist(x)", "cv2.Canny(x, 1, 2)",
        ),
    ),
    "sklearn": Calls(
        "import numpy as np\nimport sklearn.metrics\nimport sklearn.metrics.pairwise as pairwise\n"
        "import sklearn.model_selection\nimport sklearn.preprocessing as preprocessing\nimport sklearn.utils\n"
        "import sklearn.utils.extmath",
        "x, n = np.arange(20).reshape(4, 5).astype(np.DTYPE), np.array([0, 1, 0, 1])",
        _OF_NUMPY[:-1],
        (
            "pairwise.euclidean_distances(x)", "pairwise.rbf_kernel(x)", "pairwise.linear_kernel(x)",
            "pairwise.cosine_similarity(x)", "pairwise.manhattan_distances(x)", "preprocessing.normalize(x)",
            "preprocessing.scale(x)", "preprocessing.minmax_scale(x)", "sklearn.metrics.confusion_matrix(n, n)",
            "sklearn.metrics.pairwise_distances_argmin(x, x)", "sklearn.utils.extmath.softmax(x)",
            "sklearn.utils.compute_sample_weight('balanced', n)",
            "sklearn.utils.compute_class_weight('balanced', classes=np.array([0, 1]), y=n)",
        ),
        (
            "preprocessing.StandardScaler().fit_transform(x)", "sklearn.utils.as_float_array(x)",
            "sklearn.metrics.pairwise_distances(x)", "sklearn.utils.extmath.row_norms(x)",
        ),
    ),
    "pandas": Calls(
        "import numpy as np\nimport pandas as pd",
        "x = np.arange(6).reshape(2, 3).astype(np.DTYPE)",
        _OF_NUMPY,
        (
            "pd.DataFrame(x).to_numpy(dtype=np.float32)", "pd.DataFrame(x).to_numpy(np.float32)",
            "pd.DataFrame(x).iloc[0].to_numpy(dtype='float32')",
            "pd.DataFrame(x)[[0, 1]].to_numpy(dtype=np.float64)", "pd.Series(x[0]).to_numpy(dtype='float32')",
            "pd.DataFrame(x).astype(np.float32).to_numpy()", "pd.DataFrame(x).astype('float64').values",
            "pd.Series(x[0]).astype(np.float32).values", "d = pd.DataFrame(x); d.to_numpy(dtype=np.float64)",
            "pd.isna(x)", "pd.notnull(x)", "pd.isnull(x)", "pd.notna(x)",
        ),
        ("pd.DataFrame(x).to_numpy()", "pd.Series(x[0]).values", "d = pd.Series(x[0]).astype(np.float32); d.values"),
    ),
    "xarray": Calls(
        "import numpy as np\nimport xarray as xr",
        "x = np.arange(6).reshape(2, 3).astype(np.DTYPE)",
        _OF_NUMPY,
        (
            "xr.DataArray(x).values", "xr.DataArray(x).to_numpy()", "xr.DataArray(x).data",
            "xr.DataArray(x, dims=('p', 'q')).values", "xr.DataArray(x).astype(np.float32).values",
        ),
        ("xr.DataArray(x).mean().values", "d = xr.DataArray(x); d.values"),
    ),
    "h5py": Calls(
        "import io\n\nimport h5py\nimport numpy as np",
        "x, f = np.arange(6).reshape(2, 3).astype(np.DTYPE), h5py.File(io.BytesIO(), 'w')",
        _OF_NUMPY,
        (
            "h5py.File(io.BytesIO(), 'w').create_dataset('a', data=x)[...]",
            "s = h5py.File(io.BytesIO(), 'w').create_dataset('a', (3,), dtype=np.float32); s[:]",
            "s = h5py.File(io.BytesIO(), 'w').create_dataset('a', (3,), 'float64'); s[:]",
            "s = h5py.File(io.BytesIO(), 'w').create_dataset('a', (3,)); s[:]",
        ),
        ("f.create_dataset('a', data=x).astype(np.float64)[:]",),
    ),
    "nibabel": Calls(
        "import nibabel as nib\nimport numpy as np",
        "x = np.arange(6).reshape(1, 2, 3).astype(np.DTYPE)",
        _OF_NUMPY,
        (
            "nib.Nifti1Image(x, np.eye(4)).get_fdata()", "nib.Nifti1Image(x, np.eye(4)).get_fdata(dtype=np.float32)",
            "i = nib.Nifti1Image(x, np.eye(4)); i.affine", "i = nib.Nifti1Image(x, None); i.get_fdata(caching='fill')",
        ),
        ("np.asarray(nib.Nifti1Image(x, np.eye(4)).dataobj)",),
    ),
    "rasterio": Calls(
        "import numpy as np\nimport rasterio",
        "x = np.arange(6).reshape(2, 3).astype(np.DTYPE)",
        _OF_NUMPY[:-1],
        (
            "p = written(x); s = rasterio.open(p); s.read(1, out_dtype='float32')",
            "p = written(x); s = rasterio.open(p); s.read(1, out_dtype=np.float64)",
            "p = written(x); s = rasterio.open(p); s.dataset_mask()", "p = written(x); rasterio.open(p).read_masks(1)",
        ),
        ("rasterio.open(written(x)).read(1)",),
    ),
}  # fmt: skip
