"""Read the dtypes of arrays of any library, and of objects that name a dtype at run time.

Libraries are recognised by the modules of their classes: nothing is imported that the caller did not import.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import SPELLINGS
from promo_runtime.numpy_dtypes import UnknownArrayDtypeError, dtype_of

Actual: TypeAlias = type[dt.Shaped] | str
"""A dtype of the rules, or the library's own name for a dtype that the rules do not have ("object", "datetime64[ns]").
"""

#: Package -> the library, by its name in the rules, and the classes of its arrays and scalars.
_ARRAYS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "numpy": ("numpy", frozenset({"ndarray", "generic"})),
    "jax": ("jax", frozenset({"Array", "Tracer"})),
    "jaxlib": ("jax", frozenset({"Array"})),
    "torch": ("torch", frozenset({"Tensor"})),
    "dask": ("dask", frozenset({"Array"})),
    "cupy": ("cupy", frozenset({"ndarray"})),
    "array_api_strict": ("array-api", frozenset({"Array"})),
    "paddle": ("paddle", frozenset({"Tensor"})),
    "tensorflow": ("tensorflow", frozenset({"Tensor"})),
    "promo_runtime": ("promo_runtime", frozenset({"Array"})),
}


# Array classes, and the dtype objects of arrays, seen so far. (PyTorch's compiler does not support
# functools.lru_cache.)
_libraries: Final[dict[type, str]] = {}
# Keys have the class beside the dtype, because array-api-strict warns if one of its dtypes is compared with NumPy's.
_dtypes: Final[dict[tuple[type, Any], Actual | None]] = {}


def library_of_class(cls: type) -> str | None:
    """The library whose arrays are instances of the class; "promo_runtime" for `Array`, None for any other class."""
    found = _libraries.get(cls)
    if found is not None:
        return found
    for base in cls.__mro__:
        library, classes = _ARRAYS.get(base.__module__.partition(".")[0], ("", frozenset()))
        if base.__qualname__.rpartition(".")[2] in classes:
            _libraries[cls] = library
            return library
    return None


def actual_dtype(value: Any) -> Actual | None:
    """The strong dtype of an array or NumPy scalar; None for any other value."""
    given = getattr(value, "dtype", None)
    if given is None or library_of_class(type(value)) is None:
        return None
    known = (type(given), given)
    if known not in _dtypes:
        _dtypes[known] = named_dtype(given)
    return _dtypes[known]


def named_dtype(given: Any) -> Actual | None:
    """The dtype that an object names, in a library's arrays or the metadata of an annotation; None if it names none.

    A dtype class or category of the rules, a dtype or scalar class of NumPy, `jax.numpy.float32`, a dtype of PyTorch
    or of another library. A string does not name a dtype: in an annotation it is a shape or a comment.
    """
    if isinstance(given, np.dtype):
        return _numpy_dtype(given)
    if isinstance(given, type) and issubclass(given, dt.Shaped):
        return given.strong if given.exact else given
    if isinstance(given, type) and issubclass(given, np.generic):
        return None if given in ABSTRACT else _numpy_dtype(np.dtype(given))
    package = type(given).__module__.partition(".")[0]
    if package in ("jax", "jaxlib"):
        return _jax_dtype(given)
    library = _ARRAYS.get(package, ("", None))[0]
    if library not in SPELLINGS or "dtype" not in type(given).__name__.lower():
        return None
    name = getattr(given, "name", None) or str(given).rpartition(".")[2]
    return SPELLINGS[library].names.get(name, name)


#: NumPy's scalar classes that stand for several dtypes.
ABSTRACT: Final = frozenset(
    {
        np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact, np.floating,
        np.complexfloating, np.flexible, np.character,
    }
)  # fmt: skip


def _numpy_dtype(given: np.dtype[Any]) -> Actual:
    try:
        return dtype_of(given)
    except UnknownArrayDtypeError:
        return str(given)


def _jax_dtype(given: Any) -> Actual | None:
    """The dtype of `jax.numpy.float32`, which holds a NumPy dtype, or of keys."""
    inner = getattr(given, "dtype", None)
    if isinstance(inner, np.dtype):
        return _numpy_dtype(inner)
    return dt.key if getattr(getattr(given, "type", None), "__name__", "") == "prng_key" else None


def dtype_text(actual: Actual) -> str:
    """The name of a dtype in messages."""
    return actual if isinstance(actual, str) else actual.name
