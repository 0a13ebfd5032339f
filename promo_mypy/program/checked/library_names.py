"""Look up the full names of functions, methods and attributes: whether they belong to an array library, and their
public names.
"""

from collections.abc import Mapping
from typing import Final

from promo_mypy.plugin.interface.arrays import PACKAGES, names
from promo_mypy.rules.functions import LIBRARY_NAMES, find

#: Attributes whose value is an array of the same library.
ARRAY_ATTRIBUTES: Final = frozenset({"T", "mT", "H", "mH", "real", "imag", "flat"})

#: Functions that return their second argument as it is; the first one is a type.
CASTS: Final = frozenset({"typing.cast", "typing_extensions.cast"})

#: Objects whose subscripts join arrays, numbers and ranges to one array.
JOINING: Final = frozenset({"numpy.r_", "numpy.c_"})

_ARRAYS: Final = ("numpy.ndarray", "jax.Array", "torch.Tensor", "dask.array.Array", "cupy.ndarray")

_PACKAGES: Final = PACKAGES | frozenset(LIBRARY_NAMES)

#: Modules of the libraries for pytrees, devices, files and similar objects.
_OTHER_MODULES: Final = frozenset((
    "jax.tree", "jax.tree_util", "jax.sharding", "jax.typing", "jax.debug", "jax.profiler", "jax.experimental",
    "jax.core", "jax.extend", "numpy.typing", "numpy.testing", "numpy.lib", "numpy.ctypeslib", "torch.utils",
    "torch.cuda", "torch.distributed", "torch.backends", "torch.optim", "torch.jit", "torch.export", "torch.types",
    "torch.autograd", "torch.profiler",
))  # fmt: skip

#: Functions, methods and attributes that never return an array, by full name or its last part.
_OTHERS: Final = frozenset((
    "torch.load",
    "item", "tolist", "tobytes", "tostring", "dumps", "dump", "tofile", "dtype", "result_type", "promote_types",
    "can_cast", "issubdtype", "finfo", "iinfo", "shape", "ndim", "size", "nbytes", "itemsize", "strides", "device",
    "devices", "sharding", "flags", "ctypes", "base", "data", "names", "layout", "save", "jit", "pmap",
    "vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "jvp", "vjp", "linearize", "checkpoint",
    "custom_jvp", "custom_vjp", "eval_shape", "make_jaxpr", "compile", "no_grad", "enable_grad", "inference_mode",
    "manual_seed", "set_printoptions", "errstate", "numpy_dtype_promotion", "numpy_rank_promotion",
    "named_scope", "default_device", "default_matmul_precision", "enable_x64", "disable_jit",
    "ensure_compile_time_eval", "broadcast_shapes", "parameters", "named_parameters", "buffers", "children",
    "modules", "state_dict", "load_state_dict", "register_buffer",
))  # fmt: skip

_PUBLIC: Final[Mapping[str, str]] = {
    names.JAX_ARRAY: "jax.Array",
    names.JAX_UPDATE_HELPER: "jax.Array.at",
    names.JAX_UPDATE_REF: "jax.Array.at",
    names.TORCH_TENSOR: "torch.Tensor",
    names.TORCH_TENSOR_BASE: "torch.Tensor",
    "torch.nn.modules.module.Module": "torch.nn.Module",
    names.DASK_ARRAY: "dask.array.Array",
    names.STRICT_ARRAY: "array_api_strict.Array",
    names.PADDLE_TENSOR: "paddle.Tensor",
    "numpy._ArrayOrScalarCommon": "numpy.ndarray",
    "numpy.lib._index_tricks_impl.RClass": "numpy.r_",
    "numpy.lib._index_tricks_impl.CClass": "numpy.c_",
}


def public(class_name: str) -> str:
    """The public name of a class."""
    return _PUBLIC.get(class_name, class_name)


def is_of_library(name: str) -> bool:
    """Whether it belongs to an array library, or to a library of functions on arrays."""
    return name.partition(".")[0] in _PACKAGES


def is_known(name: str) -> bool:
    """Whether the rules have a row for it."""
    return find(name) is not None


def may_give_array(name: str) -> bool:
    """Whether a call of it with unknown type counts as an array."""
    if not is_of_library(name) or not _OTHERS.isdisjoint((name, name.rpartition(".")[2])):
        return False
    parts = name.split(".")
    return not any(".".join(parts[:length]) in _OTHER_MODULES for length in (2, 3))


def is_array_method(name: str) -> bool:
    """Whether the rules know a method of that name, of the arrays of some library, that may return an array."""
    return name not in _OTHERS and any(is_known(f"{cls}.{name}") for cls in _ARRAYS)
