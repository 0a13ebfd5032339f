"""The array libraries that the plugin knows, one row each. Add a library here.

Under the same name, `promo_mypy.rules.dtype_names` has its dtype arguments, `promo_mypy.rules.functions` its functions
and methods, and `promo_mypy.rules.mixing` the operations with arrays of other libraries.
This module imports no rules: the plugin needs `MODULES` before it knows whether the build has an array.
"""

import enum
from collections.abc import Mapping
from typing import Final

from promo_mypy.plugin import names
from promo_mypy.rules.records import record


class Library(enum.Enum):
    """The array library that a value belongs to. The enum value is the name of the library's own promotion system."""

    PYTHON = "python"
    NUMPY = "numpy"
    JAX = "jax"
    TORCH = "torch"
    DASK = "dask"
    ARRAY_API = "array-api"
    CUPY = "cupy"
    PADDLE = "paddle"
    TENSORFLOW = "tensorflow"

    # Enum's own hash runs Python code, and libraries are looked up for every expression that mypy checks.
    __hash__ = object.__hash__


@record
class ArrayLibrary:
    """A library and its array class. The plugin gives the class type parameters; ndarray has its own.

    Attributes:
        library: the library.
        array: mypy's name of the array class.
        modules: the modules whose presence in a build means that it may have arrays. A worker loads modules when it
            needs them: the module of the class may be loaded before its package.
        bases: base classes of the array class that declare methods of it.
        ranked: whether the type has a rank, because a 0-d array promotes differently from an n-d array.
        writes: whether an augmented assignment writes into its target, whose dtype then stays.
        namespaces: the modules whose variables are its dtypes.
        lacks: operators that the library's stubs lack, though its arrays have them.
        narrow: whether the stubs of its operators reject operands that its arrays accept. Then the rules come first.
        annotates: whether the library annotates its methods and operators. If not, their types are taken to be Any.
        sequence: the class in which several arrays are returned if the library's stubs do not declare it.
        packages: the packages of the library. The plugin does not track their modules if mypy ignores errors there.
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

#: The libraries whose array class gets a dtype parameter from the plugin, and a rank parameter if ranked.
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
        # types-tensorflow 2.18, which also rejects complex numbers with a tensor. `+x` exists only in the NumPy mode.
        lacks=("__mod__", "__rmod__", "__rpow__", "__xor__", "__rxor__", "__invert__", "__pos__"),
        narrow=True,
        packages=("tensorflow",),
    ),
)

LIBRARIES: Final = (NUMPY, *GENERIC)

BY_LIBRARY: Final[Mapping[Library, ArrayLibrary]] = {row.library: row for row in LIBRARIES}
#: Array class -> its library.
BY_CLASS: Final[Mapping[str, ArrayLibrary]] = {row.array: row for row in LIBRARIES}
#: Array class that gets type parameters from the plugin -> its library.
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
