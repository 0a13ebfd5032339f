"""Create an `Array` from data."""

from typing import Any

from promo_runtime.array.array import Array, wrap
from promo_runtime.array.array_types import array_type
from promo_runtime.context.systems_in_use import SystemLike
from promo_runtime.namespaces import creation
from promo_runtime.namespaces.namespace import namespace
from promo_runtime.numpy_dtypes import DTypeLike


def asarray(
    obj: Any, *, dtype: DTypeLike | None = None, system: SystemLike | None = None, copy: bool | None = None
) -> Array[Any]:
    """An `Array` of data under a promotion system: the given one, else the system of an `Array`, else the one in use.

    Numbers get the system's dtype for Python numbers; a single one is weak if the system has weak arrays. Raises
    PromotionError for a dtype that the system lacks, OverflowError for an int that the dtype cannot hold, TypeError
    for data that are not numbers.
    """
    space = obj._type.space if isinstance(obj, Array) and system is None else namespace(system)
    data, found, backend = creation.asarray(space, obj, dtype, copy)
    return wrap(data, array_type(space, found, backend))
