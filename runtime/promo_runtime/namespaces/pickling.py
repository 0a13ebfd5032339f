"""Pickle an array: convert it to parts, and back."""

import copyreg
from typing import Any

from promo_mypy.rules.dtypes import parse
from promo_runtime.array.array import Array, wrap
from promo_runtime.array.array_types import array_type
from promo_runtime.backends import backend_named, backend_of
from promo_runtime.namespaces.namespace import named_parts, namespace


def parts(array: Array[Any]) -> tuple[Any, str, str, str, str]:
    """The values, and the names of the backend, the dtype, the system, and torch's default dtype.

    Values on a GPU are copied to the CPU: CuPy does not pickle the dtypes of ml_dtypes. Raises TypeError for a system
    without a name.
    """
    kind = array._type
    data = array._data if kind.backend.device == "CPU" else kind.backend.to_numpy(array._data)
    return data, kind.backend.name, kind.dtype.name, *named_parts(kind.system)


def restored(data: Any, backend: str, dtype: str, system: str, torch_default_dtype: str) -> Array[Any]:
    """The array. Raises UnknownSystemError for a user-defined system that is not registered in this process,
    BackendError for values from a GPU if there is no GPU.
    """
    found, of = backend_of(data), parse(dtype)
    assert found is not None, "arrays are pickled with arrays"
    if found.name != backend:
        found = backend_named(backend)
        data = found.asarray(data, of)
    return wrap(data, array_type(namespace(system, torch_default_dtype=torch_default_dtype), of, found))


def _reduced(array: Array[Any]) -> tuple[Any, tuple[Any, ...]]:
    return restored, parts(array)


copyreg.pickle(Array, _reduced)
