"""Qualified names that the plugin matches, in one leaf module: a name that a library changes is changed only here."""

from typing import Final

# --- promo-mypy's own classes, as mypy sees them --------------------------------------------------------
DTYPES: Final = "promo_mypy.rules.dtypes"
RANKS: Final = "promo_mypy.rules.ranks"
RANK: Final = RANKS + ".Rank"
NAMED_TUPLES: Final = "promo_mypy.rules.named_tuples"
KNOWN: Final = RANKS + ".Known"
JOIN_MARKERS: Final = "promo_mypy.rules.join_markers"
PROMOTE: Final = "promo_mypy.rules.promoted.Promote"

# --- built-in functions ------------------------------------------------------------------------------------
ROUND: Final = "builtins.round"

# --- array classes ---------------------------------------------------------------------------------------
NUMPY_TYPING: Final = "numpy._typing."
NUMPY_SUPPORTS_ARRAY: Final = "numpy._typing._array_like._SupportsArray"
NUMPY_ARRAY: Final = "numpy.ndarray"
NUMPY_DTYPE: Final = "numpy.dtype"
#: The limits of a float dtype, before NumPy 2.4 and since.
NUMPY_FLOAT_LIMITS: Final = ("numpy.finfo", "numpy._core.getlimits.finfo")
FLOAT_LIMITS: Final = (*NUMPY_FLOAT_LIMITS, "ml_dtypes._finfo.finfo")
#: The module of the marker classes for values of inferred dtype (`value_marks`), and the beginnings of their names.
VALUE_MARKS: Final = "promo_mypy.rules.value_marks"
TAKEN_BY_JAX: Final = f"{VALUE_MARKS}.TakenByJax"
INFERRED: Final = f"{VALUE_MARKS}.Inferred"
ARRAY_OR: Final = f"{VALUE_MARKS}.ArrayOr"
#: The class of the values of a structured dtype.
INFERRED_FIELDS: Final = f"{INFERRED}Fields"
#: The ends of their names, for one dtype.
MARKED_DTYPES: Final = (
    "Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float16", "Float32", "Float64",
    "Complex64", "Complex128", "BFloat16",
)  # fmt: skip
#: The same for the classes of several dtypes.
MARKED_CATEGORIES: Final = ("Signed", "Unsigned", "Floating", "Complex", "Integer", "Inexact", "Number")
#: An array that may be a scalar, of unknown dtype.
ARRAY_OR_SCALAR: Final = f"{ARRAY_OR}Scalar"
#: ndarray, and the classes of what may be a scalar instead.
NUMPY_ARRAYS: Final = frozenset(
    {NUMPY_ARRAY, ARRAY_OR_SCALAR, *(ARRAY_OR + name for name in (*MARKED_DTYPES, *MARKED_CATEGORIES))}
)
NUMPY_GENERIC: Final = "numpy.generic"
#: Generators of random numbers.
NUMPY_GENERATORS: Final = frozenset({"numpy.random._generator.Generator", "numpy.random.mtrand.RandomState"})
#: The join of arrays and scalars in the stubs.
NUMPY_COMMON: Final = "numpy._ArrayOrScalarCommon"
JAX_ARRAY: Final = "jax._src.basearray.Array"
TORCH_TENSOR: Final = "torch._tensor.Tensor"
TORCH_TENSOR_BASE: Final = "torch._C.TensorBase"
#: What Dask makes a generator of random numbers with, and its class.
DASK_RNG: Final = "dask.array.random.default_rng"
DASK_GENERATOR: Final = "dask.array.random.Generator"
DASK_ARRAY: Final = "dask.array.core.Array"
STRICT_ARRAY: Final = "array_api_strict._array_object.Array"
CUPY_ARRAY: Final = "cupy.ndarray"
PADDLE_TENSOR: Final = "paddle.tensor.tensor.Tensor"
PADDLE_TENSOR_BASE: Final = "paddle.tensor.tensor.AbstractTensor"
TENSORFLOW_TENSOR: Final = "tensorflow.Tensor"
TENSORFLOW_VARIABLE: Final = "tensorflow.Variable"

# `x.at`, and `x.at[i]` with the methods `set`, `add` ...
JAX_UPDATE_HELPER: Final = "jax._src.basearray._IndexUpdateHelper"
JAX_UPDATE_REF: Final = "jax._src.basearray._IndexUpdateRef"

MASKED_ARRAY: Final = "numpy.ma.core.MaskedArray"
# The operators of masked arrays that take a number.
MASKED_OPERATORS: Final = tuple(
    f"{MASKED_ARRAY}.__{prefix}{name}__"
    for name in ("add", "sub", "mul", "truediv", "floordiv", "pow")
    for prefix in ("", "r")
)

# Further classes that get type parameters from the plugin.
RANKED_SUBCLASSES: Final = ("torch.nn.parameter.Parameter", "torch.nn.parameter.Buffer")
TENSOR_SUBCLASSES: Final = (*RANKED_SUBCLASSES, TENSORFLOW_VARIABLE)
GENERIC_UPDATES: Final = (JAX_UPDATE_HELPER, JAX_UPDATE_REF)

# --- NumPy scalar classes; `numpy.float32` and most others are aliases of `numpy.floating[_32Bit]` and the like ---
NUMPY_BOOL: Final = "numpy.bool"
NUMPY_SIGNED: Final = "numpy.signedinteger"
NUMPY_UNSIGNED: Final = "numpy.unsignedinteger"
NUMPY_FLOATING: Final = "numpy.floating"
NUMPY_COMPLEX: Final = "numpy.complexfloating"
NUMPY_FLOAT64: Final = "numpy.float64"
NUMPY_COMPLEX128: Final = "numpy.complex128"
NUMPY_INTEGER: Final = "numpy.integer"
NUMPY_INEXACT: Final = "numpy.inexact"
NUMPY_NUMBER: Final = "numpy.number"
NUMPY_BITS: Final = "numpy._typing._nbit_base"
ML_DTYPES: Final = "ml_dtypes"

# --- annotations ----------------------------------------------------------------------------------------
ANNOTATED: Final = frozenset({"typing.Annotated", "typing_extensions.Annotated"})
# To mypy jaxtyping's `Float32` is `typing.Annotated` under another name; these modules give it that name.
JAXTYPING: Final = frozenset({"jaxtyping", "jaxtyping._indirection", "jaxtyping._array_types"})

# Names that stand for arrays, beside the array classes, in type expressions. mypy drops `Annotated` there before a
# plugin can see it.
ARRAY_EXPRESSIONS: Final = (
    "jax._src.basearray.ArrayLike",
    *TENSOR_SUBCLASSES,
    "numpy._typing._array_like.NDArray",
    "numpy._typing._array_like.ArrayLike",
)

# Classes whose operators the stubs of NumPy and ml_dtypes define, beside ndarray itself.
NUMPY_SCALARS: Final = (
    NUMPY_BOOL,
    NUMPY_SIGNED,
    NUMPY_UNSIGNED,
    NUMPY_FLOATING,
    NUMPY_COMPLEX,
    NUMPY_FLOAT64,
    NUMPY_COMPLEX128,
    NUMPY_INTEGER,
    NUMPY_NUMBER,
    "numpy._IntegralMixin",
    "numpy._RealMixin",
    *(f"{ML_DTYPES}.{base}" for base in ("_Float", "_Integer", "_Complex")),
)

# The prefix under which the original overloads of ndarray's operators are kept, so that operands outside the tables
# (datetime64, str, object, lists ...) are checked exactly as by NumPy's stubs.
STOCK_PREFIX: Final = "_promo_stock_"

# --- dtype arguments ---------------------------------------------------------------------------------------
TORCH_DTYPE: Final = "torch._C.dtype"
TORCH_DEVICE: Final = "torch._C.device"
# Classes of other arguments than arrays, numbers and dtypes.
ELLIPSES: Final = frozenset({"builtins.ellipsis", "types.EllipsisType"})
OTHER_VALUES: Final = frozenset({TORCH_DEVICE, "builtins.str", "builtins.slice", *ELLIPSES})
DTYPE_CONSTRUCTORS: Final = (NUMPY_DTYPE, "jax.numpy.dtype")

# --- functions -----------------------------------------------------------------------------------------------
# Classes of objects that stand for a function: NumPy's and JAX's ufuncs, functions that JAX has wrapped. The name in
# the call tells which function it is.
FUNCTION_OBJECTS: Final = (
    *(f"numpy._typing._ufunc._{kind}" for kind in (
        "UFunc_Nin1_Nout1", "UFunc_Nin2_Nout1", "UFunc_Nin1_Nout2", "UFunc_Nin2_Nout2", "GUFunc_Nin2_Nout1",
    )),
    "numpy._core.multiarray._ConstructorEmpty",
    "jax.numpy.BinaryUfunc",
    "jax._src.pjit.JitWrapped",
    "jax._src.custom_derivatives.custom_jvp",
    "dask.array.ufunc.ufunc",
    "cupy.ufunc",
)  # fmt: skip
FUNCTION_OBJECT_METHODS: Final = ("__call__", "reduce", "accumulate", "outer", "at", "reduceat")

# Functions and ufuncs of NumPy whose overloads declare no more than the rules, so that one exact signature can replace
# them -> the number of positional arguments.
EXACT_FUNCTIONS: Final = {
    "numpy._core.multiarray.where": 3,
    **{f"numpy._core.fromnumeric.{name}": 1 for name in ("sum", "prod", "mean", "std", "var")},
    **{f"numpy._core.fromnumeric.{name}": 1 for name in ("max", "min", "amax", "amin")},
}
JAX_WHERE: Final = "jax.numpy.where"
EXACT_OBJECTS: Final = {
    "numpy._typing._ufunc._UFunc_Nin1_Nout1.__call__": 1,
    "numpy._typing._ufunc._UFunc_Nin2_Nout1.__call__": 2,
}
ITERATOR: Final = "typing.Iterator"
SEQUENCES: Final = (
    *(f"builtins.{name}" for name in ("list", "tuple", "range")),
    "typing.Sequence",
    "typing.MutableSequence",
    "torch._C.Size",
)

# Built-ins that iterate over their arguments.
ITERATING: Final = tuple(f"builtins.{name}" for name in ("enumerate", "iter", "list", "tuple", "zip"))
# Their results, and others, from which items are only taken.
ITERATORS: Final = frozenset({"typing.Iterator", "builtins.enumerate", "builtins.zip", "itertools.product"})
# Several of their overloads fit a list of arrays of unknown dtype.
OVERLOADED_ITERATORS: Final = ("builtins.reversed", "itertools.product")

# Modules that a library loads by `__getattr__` -> the real module.
HIDDEN_MODULES: Final = {f"array_api_strict.{name}": f"array_api_strict._{name}" for name in ("linalg", "fft")}
# Functions that return a named tuple without declaring it -> its class.
UNDECLARED_TUPLES: Final = {
    **{
        f"jax.numpy.linalg.{name}": f"jax._src.numpy.linalg.{name.capitalize()}Result"
        for name in ("eigh", "slogdet")
    },
    **{
        f"torch.linalg.{name}": f"{NAMED_TUPLES}.linalg_{name}"
        for name in (
            "cholesky_ex", "eig", "eigh", "inv_ex", "ldl_factor", "ldl_factor_ex", "lstsq", "lu", "lu_factor",
            "lu_factor_ex", "qr", "slogdet", "solve_ex", "svd",
        )
    },
    **{
        f"tensorflow.{name}": f"{NAMED_TUPLES}.{cls}"
        for name, cls in (
            ("math.top_k", "TopKV2"), ("unique", "Unique"), ("unique_with_counts", "UniqueWithCounts"),
            ("linalg.qr", "Qr"), ("linalg.slogdet", "LogMatrixDeterminant"),
        )
    },
}  # fmt: skip
# PyTorch's classes of results -> their fields in order. mypy's cache does not keep the order.
RESULT_FIELDS: Final = {
    f"torch.return_types.{name}": tuple(fields.split())
    for fields, classes in {
        "values indices": "cummax cummin kthvalue max median min mode nanmedian sort topk",
        "min max": "aminmax",
        "mantissa exponent": "frexp",
        "a tau": "geqrf",
        "hist bin_edges": "histogram histogramdd",
        "P L U": "lu_unpack",
        "Q R": "qr",
        "sign logabsdet": "slogdet",
        "U S V": "svd",
        "solution cloned_coefficient": "triangular_solve",
    }.items()
    for name in classes.split()
}

# --- transformations that keep a signature -----------------------------------------------------------------
JAX_JIT: Final = "jax._src.api.jit"
JAX_CUSTOM_JVP: Final = "jax._src.custom_derivatives.custom_jvp"
JAX_CUSTOM_VJP: Final = "jax._src.custom_derivatives.custom_vjp"
# The objects with which JAX replaces a function.
JAX_JIT_WRAPPED: Final = "jax._src.pjit.JitWrapped"
JAX_WRAPPERS: Final = frozenset({JAX_JIT_WRAPPED, JAX_CUSTOM_JVP, JAX_CUSTOM_VJP})
FUNCTOOLS_PARTIAL: Final = "functools.partial"
# Transforms whose stubs keep the signature. PyTorch's removes a dimension of each tensor, and adds one to the result.
VMAP: Final = ("jax._src.api.vmap",)
TORCH_VMAP: Final = ("torch._functorch.apis.vmap",)
# Transformations whose stubs return a plain `Callable`, or the first of several overloads.
SAME_SIGNATURE: Final = (
    "jax._src.ad_checkpoint.checkpoint",
    "jax._src.ad_checkpoint.remat",
    "jax._src.pmap.pmap",
    "jax.numpy.vectorize",
    "torch.compile",
)
# Transforms of the same kind that may get the function in a later call.
SAME_SIGNATURE_LATER: Final = (
    "equinox._vmap_pmap.filter_vmap",
    "equinox._vmap_pmap.filter_pmap",
    "equinox._jit.filter_jit",
    "jax._src.shard_map.shard_map",
    "jax.experimental.shard_map.shard_map",
)
# Differentiation.
GRAD: Final = ("jax._src.api.grad", "torch._functorch.apis.grad")
VALUE_AND_GRAD: Final = ("jax._src.api.value_and_grad",)
GRAD_AND_VALUE: Final = ("torch._functorch.apis.grad_and_value",)
JACFWD: Final = ("jax._src.api.jacfwd", "torch._functorch.eager_transforms.jacfwd")
JACREV: Final = (
    "jax._src.api.jacrev",
    "jax._src.api.hessian",
    "torch._functorch.eager_transforms.jacrev",
    "torch._functorch.eager_transforms.hessian",
)
FILTER_GRAD: Final = "equinox._ad.filter_grad"
FILTER_VALUE_AND_GRAD: Final = "equinox._ad.filter_value_and_grad"
FILTER_JACFWD: Final = "equinox._ad.filter_jacfwd"
FILTER_JACREV: Final = ("equinox._ad.filter_jacrev", "equinox._ad.filter_hessian")
# Context managers that decorate a function with or without parentheses.
TORCH_MODES: Final = (
    "torch.autograd.grad_mode.no_grad",
    "torch.autograd.grad_mode.enable_grad",
    "torch.autograd.grad_mode.inference_mode",
)

# --- modules of PyTorch ------------------------------------------------------------------------------------
TORCH_MODULES: Final = "torch.nn.modules."
TORCH_MODULE: Final = "torch.nn.modules.module.Module"
TORCH_SEQUENTIAL: Final = "torch.nn.modules.container.Sequential"
TORCH_MODULE_LIST: Final = "torch.nn.modules.container.ModuleList"
TORCH_MODULE_DICT: Final = "torch.nn.modules.container.ModuleDict"
TORCH_PARAMETER_LIST: Final = "torch.nn.modules.container.ParameterList"
TORCH_PARAMETER_DICT: Final = "torch.nn.modules.container.ParameterDict"
TORCH_DATA: Final = "torch.utils.data."
TORCH_LOADER: Final = "torch.utils.data.dataloader.DataLoader"
TORCH_DATASET: Final = "torch.utils.data.dataset.Dataset"
TORCH_TENSOR_DATASET: Final = "torch.utils.data.dataset.TensorDataset"
TORCH_PARAMETER: Final = "torch.nn.parameter.Parameter"
#: The parameters of layers, by the class that declares them.
TORCH_LAYER_PARAMETERS: Final = frozenset(
    f"{TORCH_MODULES}{cls}.{parameter}"
    for classes, parameters in (
        ("linear.Linear linear.Bilinear conv._ConvNd normalization.LayerNorm normalization.GroupNorm", "weight bias"),
        ("sparse.Embedding sparse.EmbeddingBag activation.PReLU normalization.RMSNorm", "weight"),
        ("batchnorm._NormBase", "weight bias running_mean running_var"),
    )
    for cls in classes.split()
    for parameter in parameters.split()
)
TORCH_AUTOCAST: Final = frozenset(
    {
        "torch.amp.autocast_mode.autocast",
        "torch.cuda.amp.autocast_mode.autocast",
        "torch.cpu.amp.autocast_mode.autocast",
    }
)

# --- control flow of JAX -----------------------------------------------------------------------------------
JAX_SCAN: Final = "jax._src.lax.control_flow.loops.scan"
JAX_WHILE_LOOP: Final = "jax._src.lax.control_flow.loops.while_loop"
JAX_FORI_LOOP: Final = "jax._src.lax.control_flow.loops.fori_loop"
JAX_COND: Final = "jax._src.lax.control_flow.conditionals.cond"
JAX_SWITCH: Final = "jax._src.lax.control_flow.conditionals.switch"
JAX_MAP: Final = "jax._src.lax.control_flow.loops.map"
JAX_ASSOCIATIVE_SCAN: Final = "jax._src.lax.control_flow.loops.associative_scan"

# --- trees, and derivatives at a point -----------------------------------------------------------------------
JAX_TREE_MAPS: Final = ("jax._src.tree.map", "jax._src.tree_util.tree_map")
JAX_TREE_LEAVES: Final = ("jax._src.tree.leaves", "jax._src.tree_util.tree_leaves")
JAX_BLOCK_UNTIL_READY: Final = "jax._src.api.block_until_ready"
JAX_DEVICE_PUT: Final = "jax._src.api.device_put"
JAX_DEVICE_GET: Final = "jax._src.api.device_get"
JAX_RAVEL_TREE: Final = "jax._src.flatten_util.ravel_pytree"
EQUINOX_MODULE: Final = ("equinox._module._module.Module", "equinox._module.Module")
"""In the releases since 0.13, and before."""
JAX_JVP: Final = "jax._src.api.jvp"
JAX_VJP: Final = "jax._src.api.vjp"
JAX_LINEARIZE: Final = "jax._src.api.linearize"

#: The methods that index np.mgrid and np.ogrid.
NUMPY_GRIDS: Final = tuple(f"numpy.lib._index_tricks_impl.{cls}.__getitem__" for cls in ("MGridClass", "OGridClass"))
NUMPY_VECTORIZE: Final = "numpy.lib._function_base_impl.vectorize"
