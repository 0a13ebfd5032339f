"""List functions of Python and of libraries whose results consist of their arguments, or of what these return."""

from typing import Final

_TREES: Final = (
    "leaves", "flatten", "unflatten", "transpose", "map", "reduce", "tree_leaves", "tree_flatten", "tree_unflatten",
    "tree_transpose", "tree_map", "tree_reduce",
)  # fmt: skip
#: Functions that return the namespace of the functions on their arguments.
NAMESPACES: Final = frozenset(
    {"array_api_compat.array_namespace", "array_api_compat.get_namespace", "sklearn.utils._array_api.get_namespace",
     "sklearn.utils._array_api.get_namespace_and_device", "scipy._lib._array_api.array_namespace"}
)  # fmt: skip
#: Functions of Python.
BUILTINS: Final = frozenset((
    "abs", "sum", "list", "tuple", "dict", "set", "reversed", "sorted", "iter", "next", "zip", "enumerate", "min",
    "max", "float", "int", "len", "range", "map", "filter", "getattr",
))  # fmt: skip
#: Functions whose results consist of their arguments, or of what these return: containers, copies and trees of arrays,
#: dtypes, namespaces; functions that call one of their arguments, or make another function of it.
PASSING: Final = BUILTINS | NAMESPACES | frozenset((
    "copy.copy", "copy.deepcopy", "dataclasses.replace", "dataclasses.field", "equinox.field", "flax.struct.field",
    "numpy.finfo", "numpy.iinfo", "jax.numpy.finfo", "jax.numpy.iinfo", "torch.finfo", "torch.iinfo",
    "itertools.chain", "itertools.product", "itertools.zip_longest", "collections.deque",
    "functools.partial", "functools.reduce", "joblib.delayed", "sklearn.utils.parallel.delayed", "joblib.Parallel",
    "sklearn.utils.parallel.Parallel",
    "array_api_compat.device", "array_api_extra.expand_dims", "array_api_extra.atleast_nd",
    "lineax.internal.complex_to_real_dtype", "equinox.internal.error_if",
    *(f"equinox.{name}" for name in ("error_if", "tree_at", "combine", "filter", "partition")),
    "numpy.apply_along_axis", "numpy.vectorize", "numpy.dtype", "numpy.result_type", "numpy.promote_types",
    "torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer", "torch.vmap", "torch.func.vmap",
    "torch.compile", "torch.promote_types", "torch.result_type",
    "jax.flatten_util.ravel_pytree", "jax.api_util.flatten_axes", "jax.device_get", "jax.device_put",
    "jax.block_until_ready",
    "jax.numpy.apply_along_axis", "jax.numpy.vectorize", "jax.numpy.result_type", "jax.numpy.promote_types",
    *(f"jax.{module}.{name}" for module in ("tree", "tree_util") for name in _TREES),
    *(f"jax.lax.{name}" for name in ("map", "scan", "cond", "switch", "while_loop", "fori_loop")),
    *(f"jax.{name}" for name in ("jvp", "vjp", "linearize", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian",
        "jit", "vmap", "checkpoint", "remat", "custom_jvp", "custom_vjp")),
    *(f"jax.scipy.sparse.linalg.{name}" for name in ("cg", "gmres", "bicgstab")),
))  # fmt: skip
#: The libraries whose functions a namespace may have.
LIBRARIES: Final = ("numpy", "jax.numpy", "torch")
#: Methods of containers that return what is in them.
OF_CONTAINERS: Final = frozenset({"items", "values", "keys", "get", "pop", "_replace", "_asdict"})
#: Methods of arrays that return Python's values.
TELLING: Final = frozenset({"size", "dim", "numel", "ndimension", "nelement", "item", "tolist", "get_device"})
