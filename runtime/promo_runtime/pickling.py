"""The parts of an array type that can be pickled, and back."""

from typing import Any

from promo_mypy.rules.dtypes import parse
from promo_runtime.array import Array, wrap
from promo_runtime.array_types import ArrayType, array_type
from promo_runtime.backends import backend_of
from promo_runtime.namespace import named_parts, namespace


def parts(kind: ArrayType) -> tuple[str, str, str]:
    """Names of the dtype, the system, and torch's default dtype. Raises TypeError for a system without a name."""
    return kind.dtype.name, *named_parts(kind.system)


def restored(data: Any, dtype: str, system: str, torch_default_dtype: str) -> Array[Any]:
    """The array. Raises UnknownSystemError for a system of the user's that is not registered in this process."""
    backend = backend_of(data)
    assert backend is not None, "arrays are pickled with arrays"
    return wrap(data, array_type(namespace(system, torch_default_dtype=torch_default_dtype), parse(dtype), backend))
