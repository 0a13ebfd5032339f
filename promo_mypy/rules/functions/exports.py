"""Functions that convert an array of one library to another and keep its dtype. Source: running them."""

from collections.abc import Mapping
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.cupy.forms import ON_DEVICE, TAKING_SCALARS
from promo_mypy.rules.mixing import CONVERTIBLE

CONVERTED: Final[Mapping[str, frozenset[str]]] = {
    "jax": frozenset({"numpy"}),
    "numpy": frozenset({"jax"}),
    "dask": frozenset({"numpy"}),
}
"""Library -> the libraries whose arrays all of its functions accept like its own."""

EXPORTING: Final = frozenset({"dask", "torch", "array-api"})
"""The libraries whose arrays NumPy converts only in functions that make an ndarray. Other calls it leaves to them."""

OF_NUMPY: Final[Mapping[str, frozenset[str]]] = {
    "cupy": ON_DEVICE,
    "torch": frozenset({"tensor", "as_tensor", "asarray", "from_numpy"}),
    "tensorflow": frozenset({"constant", "convert_to_tensor", "Variable", "cast"}),
    "array_api_strict": frozenset({"asarray"}),
}
"""Library -> its functions that accept an ndarray."""

OF_SCALARS: Final[Mapping[str, frozenset[str]]] = {
    "cupy": ON_DEVICE | TAKING_SCALARS,
    "torch": OF_NUMPY["torch"] - {"from_numpy"},
    "tensorflow": OF_NUMPY["tensorflow"],
    "array_api_strict": OF_NUMPY["array_api_strict"],
}
"""Library -> its functions that accept a NumPy scalar."""

TO_NUMPY: Final[Mapping[str, frozenset[str]]] = {
    "cupy": frozenset({"asnumpy", "get"}),
    "dask": frozenset({"compute"}),
    "torch": frozenset({"numpy"}),
}
"""Library -> its functions and methods that return an ndarray, or one of NumPy's scalars for an array of rank 0."""

_STANDARD: Final = CONVERTIBLE - {dt.float16}
_TAKEN: Final[Mapping[str, frozenset[type[dt.Shaped]]]] = {
    "torch": CONVERTIBLE,
    "tensorflow": CONVERTIBLE,
    "array_api_strict": _STANDARD,
}


#: Library -> its functions that raise TypeError for an ndarray of a dtype that the library lacks.
_REFUSING: Final[Mapping[str, frozenset[str]]] = {
    "torch": OF_NUMPY["torch"],
    "jax": frozenset({"numpy.array", "numpy.asarray"}),
}

NO_NUMBERS: Final = frozenset({"datetime64", "timedelta64", "str_", "bytes_", "object_", "void"})
"""NumPy's scalar classes that are no dtype of the other libraries, nor of the rules."""

#: The libraries that convert the ndarray with NumPy first, if the call asks for a dtype.
_CASTING: Final = frozenset({"jax"})


def refuses(library: str, name: str, *, casts: bool) -> bool:
    """Whether that function rejects an ndarray of a dtype that its library lacks.

    `casts`: whether the call names another dtype. Some libraries then cast the ndarray first.
    """
    return name in _REFUSING.get(library, ()) and not (casts and library in _CASTING)


def takes(library: str, name: str, dtype: type[dt.Shaped], *, scalar: bool) -> bool:
    """Whether that function converts an ndarray, or a NumPy scalar, of that dtype to an array of its own library."""
    functions = OF_SCALARS if scalar else OF_NUMPY
    return name in functions.get(library, ()) and dtype in _TAKEN.get(library, (dtype,))


def gives_numpy(library: str, name: str) -> bool:
    """Whether the result of that function or method is an ndarray."""
    return name in TO_NUMPY.get(library, ())
