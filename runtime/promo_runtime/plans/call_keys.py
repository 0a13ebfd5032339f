"""Keys of calls, which decide their plans. The key of a NumPy array is its dtype (in a tuple if it is 0-d), of an
`Array` its type, of another library's array its class, dtype and whether it is 0-d, of any other value its class.
"""

from types import NoneType
from typing import Any, Final

import numpy as np

from promo_runtime.array.array import Array
from promo_runtime.backends import backend_of
from promo_runtime.plans.elementwise_plans import Plan

_ndarray: Final = np.ndarray
#: The most plans that are kept: keys may contain values, and a program may have many.
_MOST_PLANS: Final = 512

BY_CLASS: Final = frozenset({bool, int, float, complex, str, tuple, list, NoneType, *np.sctypeDict.values()})
"""Classes that are known not to be arrays. Callers look them up before they call `other`."""


def kind(value: Any) -> object:
    """The key of an argument whose value does not matter."""
    cls = value.__class__
    return (
        (value.dtype if value.ndim else (value.dtype,)) if cls is _ndarray
        else value._type if cls is Array else cls if cls in BY_CLASS else other_kind(value)
    )  # fmt: skip


def other_kind(value: Any) -> object:
    """The same, for values that are neither exact NumPy arrays nor `Array`s."""
    cls = value.__class__
    if isinstance(value, np.ndarray | np.generic) or backend_of(value) is None:
        return cls
    return cls, value.dtype, not value.ndim


def kinds(values: Any) -> object:
    """The same, for several values in a list or tuple."""
    return (values.__class__, *map(kind, values)) if isinstance(values, tuple | list) else kind(values)


def exactly(value: Any) -> object:
    """The key of an argument whose value matters. It distinguishes equal values of different classes. No rule needs it
    for arrays or lists.
    """
    found = kind(value)
    return (value.__class__, value) if found is value.__class__ is not list else (found,)


def keep(plans: dict[Any, Plan], key: Any, plan: Plan) -> None:
    """Cache a plan; clear the cache if it is full."""
    if len(plans) >= _MOST_PLANS:
        plans.clear()
    plans[key] = plan
