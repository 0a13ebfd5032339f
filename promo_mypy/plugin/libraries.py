"""The array libraries that the plugin follows, one row each: a library is added here.

What its dtype arguments look like stands in `promo_mypy.rules.dtype_names`, what its methods do in
`promo_mypy.rules.functions`, and how its arrays meet those of others in `promo_mypy.rules.mixing`, under the same name.
Imports no rules: the plugin asks for the modules before it knows that there is an array in the build.
"""

import enum
from collections.abc import Mapping
from typing import Final

from promo_mypy.plugin import names
from promo_mypy.rules.records import record


class Library(enum.Enum):
    """The array library that a value belongs to; the value is also the name of its own promotion system."""

    PYTHON = "python"
    NUMPY = "numpy"
    JAX = "jax"
    TORCH = "torch"
    DASK = "dask"
    ARRAY_API = "array-api"
    CUPY = "cupy"
    PADDLE = "paddle"
    TENSORFLOW = "tensorflow"

    # Enum hashes the name, in Python; libraries are looked up for every expression that mypy checks.
    __hash__ = object.__hash__


@record
class ArrayLibrary:
    """A library and its array class, which receives type arguments from us (but for ndarray, which has its own).

    Attributes:
        library: which one.
        array: the array class, by the name that mypy has for it.
        modules: those whose presence in a build means that there are arrays to follow. A worker loads modules as it
            comes to them: the one of the class may be there before its package.
        bases: classes above the array class that declare methods of it.
        ranked: whether arrays carry a rank, because a 0-d one promotes otherwise than an n-d one.
        writes: whether an augmented assignment writes into its target, whose dtype then stays.
        namespaces: the modules whose variables are its dtypes.
        lacks: operators that the types of the library forget, though its arrays have them.
        narrow: whether the types of its operators refuse operands that its arrays take. The rules are asked first then.
        annotates: whether the library says the types of its methods and operators. If not, they are taken to be open.
        sequence: the class of what several arrays are returned in, where the types of the library do not say.
        packages: those that it consists of. Their modules are the library's own affair.
    """

    library: Library
    array: str
    modules: tuple[str, ...]
    bases: tuple[str, ...] = ()
    ranked: bool = False
    writes: bool = True
    namespaces: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    narrow: bool = False
    annotates: bool = True
    sequence: str = ""
    packages: tuple[str, ...] = ()

    @property
    def classes(self) -> tuple[str, ...]:
        """The array class and those above it that declare methods of it."""
        return (self.array, *self.bases)


NUMPY: Final = ArrayLibrary(Library.NUMPY, names.NUMPY_ARRAY, ("numpy",), packages=("numpy",))

#: The libraries whose array class receives a dtype parameter (and a ranked one a rank) from us.
GENERIC: Final = (
    ArrayLibrary(
        Library.JAX,
        names.JAX_ARRAY,
        ("jax", "jax._src.basearray"),
        writes=False,
        namespaces=("jax.numpy", "jax._src.numpy.scalar_types"),
        packages=("jax", "jaxlib"),
    ),
    ArrayLibrary(
        Library.TORCH,
        names.TORCH_TENSOR,
        ("torch", "torch._tensor"),
        bases=(names.TORCH_TENSOR_BASE,),
        ranked=True,
        namespaces=("torch", "torch._C"),
        sequence="builtins.tuple",
        packages=("torch",),
    ),
    ArrayLibrary(
        Library.DASK,
        names.DASK_ARRAY,
        ("dask.array", "dask.array.core"),
        writes=False,
        annotates=False,
        packages=("dask",),
    ),
    ArrayLibrary(
        Library.ARRAY_API,
        names.STRICT_ARRAY,
        ("array_api_strict", "array_api_strict._array_object"),
        namespaces=("array_api_strict._dtypes",),
        packages=("array_api_strict",),
    ),
    ArrayLibrary(Library.CUPY, names.CUPY_ARRAY, ("cupy",), packages=("cupy",)),
    ArrayLibrary(
        Library.PADDLE,
        names.PADDLE_TENSOR,
        ("paddle", "paddle.tensor.tensor"),
        bases=(names.PADDLE_TENSOR_BASE,),
        ranked=True,
        writes=False,
        namespaces=("paddle.framework.dtype",),
        packages=("paddle",),
    ),
    ArrayLibrary(
        Library.TENSORFLOW,
        names.TENSORFLOW_TENSOR,
        ("tensorflow",),
        writes=False,
        namespaces=("tensorflow", "tensorflow.dtypes"),
        # types-tensorflow 2.18, which also knows no complex number beside a tensor. `+x` exists in the NumPy mode only.
        lacks=("__mod__", "__rmod__", "__rpow__", "__xor__", "__rxor__", "__invert__", "__pos__"),
        narrow=True,
        packages=("tensorflow",),
    ),
)

LIBRARIES: Final = (NUMPY, *GENERIC)

BY_LIBRARY: Final[Mapping[Library, ArrayLibrary]] = {row.library: row for row in LIBRARIES}
#: Array class -> its library.
BY_CLASS: Final[Mapping[str, ArrayLibrary]] = {row.array: row for row in LIBRARIES}
#: Class that receives parameters from us -> its library.
BY_GENERIC_CLASS: Final[Mapping[str, ArrayLibrary]] = {row.array: row for row in GENERIC}
#: Module whose variables are dtypes -> its library.
BY_NAMESPACE: Final[Mapping[str, Library]] = {module: row.library for row in GENERIC for module in row.namespaces}
#: Package -> its library.
BY_PACKAGE: Final[Mapping[str, Library]] = {row.array.partition(".")[0]: row.library for row in LIBRARIES}
#: The packages that the libraries consist of.
PACKAGES: Final = frozenset(package for row in LIBRARIES for package in row.packages)
MODULES: Final = frozenset(module for row in LIBRARIES for module in row.modules)


def is_own(module: str) -> bool:
    """Whether a module is part of an array library."""
    return module.partition(".")[0] in PACKAGES
