"""What of a call decides about its plan: for an array of NumPy the dtype (in a tuple if it is 0-d), for an `Array` its
type, for what else is given the class.
"""

from typing import Any, Final

import numpy as np

from promo_runtime.array import Array
from promo_runtime.plans import Plan

_ndarray: Final = np.ndarray
#: Keys may hold values, of which a program may have many.
_MOST_PLANS: Final = 512


def kind(value: Any) -> object:
    """What decides, of an argument whose value does not."""
    cls = value.__class__
    return (value.dtype if value.ndim else (value.dtype,)) if cls is _ndarray else value._type if cls is Array else cls


def kinds(values: Any) -> object:
    """The same of several in a list or tuple."""
    return (values.__class__, *map(kind, values)) if isinstance(values, tuple | list) else kind(values)


def exactly(value: Any) -> object:
    """The value, where that decides; apart from equal ones of other classes. Of an array or a list no rule asks it."""
    return (
        (kind(value),) if value.__class__ is _ndarray or isinstance(value, Array | list) else (value.__class__, value)
    )


def keep(plans: dict[Any, Plan], key: Any, plan: Plan) -> None:
    """Remember a plan; forget all when they have become too many."""
    if len(plans) >= _MOST_PLANS:
        plans.clear()
    plans[key] = plan
