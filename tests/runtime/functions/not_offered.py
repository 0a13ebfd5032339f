"""The functions of a library that the namespace of its system does not offer, each with the reason.

Names are relative to the library; a name may be a pattern. A new row in the registry must be offered or listed here.
"""

from typing import Final

#: Library -> system, and the modules with the functions that a namespace may offer.
LIBRARIES: Final = {
    "numpy": ("numpy", ""), "jax": ("jax", "numpy."), "torch": ("torch", ""), "dask": ("dask", "array."),
    "cupy": ("cupy", ""), "array_api_strict": ("array-api", ""),
}  # fmt: skip

_METHODS: Final = "a method of a ufunc: namespaces have functions, and NumPy's own methods take an Array"
_DTYPE: Final = "makes an array of one dtype: asarray(x, dtype=...); the dtypes themselves have their own names"
_DRAWS: Final = "draws numbers, which are those of the library's own generator"
_WRITES: Final = "writes into its argument: x[...] = y"
_RARE: Final = "hardly called: none of 25,000 calls in real programs"
_READS: Final = "reads buffers, text or files: read with NumPy, then asarray"
_OPEN: Final = "the row leaves open what it gives: values or ranks decide whether one array, several or a number"
_NAMED: Final = "PyTorch's name: the namespace has the standard's"
_OTHERWISE: Final = "has other arguments or results than NumPy's of that name, or is nothing that NumPy computes simply"
_LAYERS: Final = "a layer of a neural network, of PyTorch alone"
_QUANTIZED: Final = "computes with quantized numbers, of PyTorch alone"
_MEASURED: Final = "Dask estimates it from chunks, needs chunks that are known, or computes along an axis only"

#: Library -> reason -> names.
NOT_OFFERED: Final[dict[str, dict[str, str]]] = {
    "numpy": {
        _METHODS: "*.accumulate *.at *.outer *.reduce",
        _DRAWS: "random.*",
        _DTYPE: "bool_ byte cdouble clongdouble csingle double half int_ intc intp longdouble longlong ndarray short "
        "single ubyte uint uintc uintp ulonglong ushort",
        _WRITES: "copyto fill_diagonal place put put_along_axis putmask",
        _READS: "frombuffer fromfile fromiter fromstring genfromtxt loadtxt",
        _OPEN: "gradient poly real_if_close roots histogram histogram_bin_edges histogram2d histogramdd polyfit",
        _RARE: "asarray_chkfinite ix_ linalg.tensorinv linalg.tensorsolve matvec vecmat min_scalar_type require",
        "is of times alone, which no system has": "isnat",
        "is about the layout of memory, which namespaces leave to the backend": "ascontiguousarray asfortranarray",
        "takes nested lists of arrays: concat and stack": "block",
    },
    "jax": {
        _DTYPE: "bool_ cdouble complex_ csingle double float_ int_ single uint",
        _WRITES: "fill_diagonal place put put_along_axis",
        _READS: "frombuffer",
        _OPEN: "diag gradient",
        _RARE: "ix_ linalg.tensorinv linalg.tensorsolve fromfunction",
        "takes nested lists of arrays: concat and stack": "block",
        "NumPy, which computes here, gives other values, shapes or weakness": "interp intersect1d linalg.lstsq "
        "setxor1d unravel_index",
    },
    "torch": {
        _NAMED: "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor "
        "LongTensor ShortTensor Tensor as_tensor cat cholesky clamp clamp_max clamp_min clone det div eq from_numpy ge "
        "gt inverse le lt movedim mul ne neg norm permute pinverse qr repeat_interleave resolve_conj resolve_neg sgn "
        "slogdet sub svd swapdims take_along_dim tensor unbind unsqueeze broadcast_tensors conj_physical detach mm mv "
        "bmm adjoint is_complex is_floating_point is_tensor numel scalar_tensor t linalg.vecdot",
        _DRAWS: "bernoulli multinomial normal poisson rand rand_like randint randint_like randn randn_like randperm",
        _LAYERS: "nn.functional.* nn.init.*",
        _QUANTIZED: "_int_mm dequantize fake_quantize_per_tensor_affine",
        _READS: "frombuffer",
        _OTHERWISE: "addbmm addcdiv addcmul addmm addmv addr aminmax baddbmm *_window block_diag bucketize "
        "cartesian_prod cdist cholesky_inverse chunk combinations complex cummax cummin diag_embed "
        "diagonal_scatter digamma erfinv fill flatten frac gather geqrf histc histogram index_add index_copy "
        "index_fill index_put index_reduce index_select is_nonzero kthvalue ldexp lerp lgamma linalg.cholesky_ex "
        "linalg.householder_product linalg.inv_ex linalg.ldl_* linalg.lstsq linalg.lu* linalg.matrix_exp "
        "linalg.solve_* linalg.tensor* logcumsumexp logdet logspace lu_unpack masked_fill masked_scatter masked_select "
        "median mode msort nanmedian narrow polar put range scatter scatter_add scatter_reduce select select_scatter "
        "slice_scatter split std_mean "
        "tensor_split topk transpose triangular_solve tril_indices triu_indices unflatten unique "
        "unique_consecutive var_mean view_as_complex view_as_real unravel_index special.* cumulative_trapezoid dist "
        "gradient istft linalg.vander lu_solve mvlgamma orgqr polygamma renorm split_with_sizes stft igamma* trapz "
        "vander cholesky_solve",
        "follows the graph of PyTorch's own gradients": "autograd.grad",
        "makes a batch of any samples, as a data loader does": "utils.data.default_collate nn.utils.rnn.pad_sequence",
        "takes the parameters of a module": "nn.utils.clip_grad_norm_ nn.utils.parameters_to_vector",
        "makes a sparse tensor, which no backend computes with": "sparse_coo_tensor",
        "scales a loss before its gradients are computed": "amp.GradScaler.scale",
        "reduces parts of different lengths: reduceat is a method of ufuncs": "segment_reduce",
    },
    "dask": {
        _DRAWS: "random.*",
        _MEASURED: "average bincount choose delete digitize ediff1d histogram histogram2d insert nancumprod nancumsum "
        "nanpercentile nanquantile pad percentile quantile ravel_multi_index unravel_index",
        _OPEN: "gradient",
        "takes nested lists of arrays: concat and stack": "block",
        "is about chunks, or has no other library's name": "argtopk from_array isnull moment notnull rechunk topk",
        "calls a function of the caller": "apply_along_axis blockwise from_delayed fromfunction map_blocks map_overlap "
        "reduction",
    },
    "cupy": {
        _METHODS: "*.accumulate *.outer *.reduce",
        _DRAWS: "random.*",
        _DTYPE: "bool_ ndarray",
        _READS: "fromiter",
        _OPEN: "gradient histogram2d polyfit real_if_close",
        _RARE: "asarray_chkfinite ix_ linalg.tensorinv linalg.tensorsolve min_scalar_type require",
        "is about the layout of memory, which namespaces leave to the backend": "ascontiguousarray asfortranarray",
        "makes an array of NumPy": "asnumpy",
        "gives another dtype than the arrays promote to": "select where",
    },
    "array_api_strict": {},
}
