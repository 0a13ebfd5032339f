"""What of a call decides about its plan: for an array of NumPy the dtype (in a tuple if it is 0-d), for an `Array` its
type, for one of another library class, dtype and whether it is 0-d, for what else is given the class.
"""

from types import NoneType
from typing import Any, Final

import numpy as np

from promo_runtime.array.array import Array
from promo_runtime.backends import backend_of
from promo_runtime.plans.elementwise_plans import Plan

_ndarray: Final = np.ndarray
#: Keys may hold values, of which a program may have many.
_MOST_PLANS: Final = 512

BY_CLASS: Final = frozenset({bool, int, float, complex, str, tuple, list, NoneType, *np.sctypeDict.values()})
"""Classes of which it is known that no object is an array. Callers look them up before they ask `other`."""


def kind(value: Any) -> object:
    """What decides, of an argument whose value does not."""
    cls = value.__class__
    return (
        (value.dtype if value.ndim else (value.dtype,)) if cls is _ndarray
        else value._type if cls is Array else cls if cls in BY_CLASS else other(value)
    )  # fmt: skip


def other(value: Any) -> object:
    """The same of what is neither NumPy's array itself nor an `Array`."""
    cls = value.__class__
    if isinstance(value, np.ndarray | np.generic) or backend_of(value) is None:
        return cls
    return cls, value.dtype, not value.ndim


def kinds(values: Any) -> object:
    """The same of several in a list or tuple."""
    return (values.__class__, *map(kind, values)) if isinstance(values, tuple | list) else kind(values)


def exactly(value: Any) -> object:
    """The value, where that decides; apart from equal ones of other classes. Of an array or a list no rule asks it."""
    found = kind(value)
    return (value.__class__, value) if found is value.__class__ is not list else (found,)


def keep(plans: dict[Any, Plan], key: Any, plan: Plan) -> None:
    """Remember a plan; forget all when they have become too many."""
    if len(plans) >= _MOST_PLANS:
        plans.clear()
    plans[key] = plan
