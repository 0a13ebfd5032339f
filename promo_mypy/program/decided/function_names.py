"""List functions of Python and of libraries whose results consist of their arguments, or of what these return."""

from typing import Final

#: Functions whose results consist of their arguments: containers, copies, trees of arrays.
PASSING: Final = frozenset((
    "abs", "sum", "list", "tuple", "dict", "set", "reversed", "sorted", "iter", "next", "zip", "enumerate", "min",
    "max", "copy.copy", "copy.deepcopy", "dataclasses.replace", "itertools.chain", "itertools.product", "float", "int",
    "len", "range", "collections.deque",
    "array_api_compat.device", "array_api_extra.expand_dims", "array_api_extra.atleast_nd",
    "torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer",
    "jax.flatten_util.ravel_pytree", "jax.device_get", "jax.device_put", "jax.block_until_ready",
    *(f"jax.{module}.{name}" for module in ("tree", "tree_util") for name in (
        "leaves", "flatten", "unflatten", "transpose", "tree_leaves", "tree_flatten", "tree_unflatten",
        "tree_transpose",
    )),
))  # fmt: skip
#: Functions that call their first argument with the others and return what it returns, also in a tree.
CALLING: Final = frozenset(
    {"map", "filter", "functools.reduce", "jax.tree.map", "jax.tree.reduce", "jax.tree_util.tree_map",
     "jax.tree_util.tree_reduce", "jax.lax.map", "jax.lax.scan", "jax.jvp", "jax.vjp", "jax.linearize",
     "numpy.apply_along_axis", "jax.numpy.apply_along_axis",
     *(f"jax.scipy.sparse.linalg.{name}" for name in ("cg", "gmres", "bicgstab"))}
)  # fmt: skip
#: Functions that return a function with the dtypes of their first argument.
WRAPPING: Final = frozenset(
    {"functools.partial", "jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian", "jax.jit",
        "jax.vmap", "jax.checkpoint", "jax.remat", "jax.custom_jvp", "jax.custom_vjp",
        "numpy.vectorize", "jax.numpy.vectorize", "torch.vmap", "torch.func.vmap", "torch.compile",
        "joblib.delayed", "sklearn.utils.parallel.delayed"}
)  # fmt: skip
#: What makes an object that returns its arguments in a list when it is called.
GATHERING: Final = frozenset({"joblib.Parallel", "sklearn.utils.parallel.Parallel"})
#: The number of arguments that do not decide what a branch or loop returns. A loop has the dtypes of its first values;
#: those of Python numbers give way to what its body returns.
BRANCHES: Final = {"jax.lax.cond": 1, "jax.lax.switch": 1, "jax.lax.while_loop": 1, "jax.lax.fori_loop": 2}
OF_CONTAINERS: Final = frozenset({"items", "values", "keys", "get", "pop", "_replace", "_asdict"})
#: Functions of Python that return the items of their arguments.
OF_ITEMS: Final = frozenset({"zip", "enumerate", "list", "tuple", "set", "reversed", "sorted"})
#: Methods of arrays that return Python's values.
TELLING: Final = frozenset({"size", "dim", "numel", "ndimension", "nelement", "item", "tolist", "get_device"})
#: Functions that return the namespace of the functions on their arguments.
NAMESPACES: Final = frozenset(
    {"array_api_compat.array_namespace", "array_api_compat.get_namespace", "sklearn.utils._array_api.get_namespace",
     "sklearn.utils._array_api.get_namespace_and_device", "scipy._lib._array_api.array_namespace"}
)  # fmt: skip
LIBRARIES: Final = ("numpy", "jax.numpy", "torch")
NAMING_DTYPES: Final = frozenset(
    {"numpy.dtype", "numpy.result_type", "numpy.promote_types", "jax.numpy.result_type", "jax.numpy.promote_types",
     "torch.promote_types", "torch.result_type"}
)  # fmt: skip
BUILTINS: Final = {"super", "getattr", *(each for each in PASSING | CALLING if "." not in each)}
