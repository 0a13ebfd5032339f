"""Functions that join arrays of several dtypes into one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from promo_runtime.arguments import argument
from promo_runtime.array import Array, wrap
from promo_runtime.array_types import array_type
from promo_runtime.backends import common_backend
from promo_runtime.plans import check_systems
from promo_runtime.verdicts import accepted

if TYPE_CHECKING:
    from promo_runtime.namespace import Namespace


def where(space: "Namespace", condition: Any, x1: Any, x2: Any) -> Any:
    """Elements of x1 where the condition holds, of x2 elsewhere, in the dtype that the two promote to."""
    check_systems(space, (condition, x1, x2))
    found = [argument(each) for each in (condition, x1, x2)]
    dtype = accepted(space.system.promote(*(each.operand for each in found[1:])))
    if found[0].operand.dtype.kind != "b":
        raise TypeError(f"the condition of where must be bool, not {found[0].operand.name}")
    backend = common_backend(each.backend for each in found if each.backend)
    chooser, one, other = (each._data if isinstance(each, Array) else each for each in (condition, x1, x2))
    made = backend.where(chooser, one, other, dtype)
    wrapped = any(each.wrapped for each in found)
    return wrap(made, array_type(space, dtype, backend)) if wrapped else made


def join(space: "Namespace", name: str, arrays: Sequence[Any], axis: int | None) -> Any:
    """`concat` or `stack`: the arrays in the dtype that all of them promote to together."""
    check_systems(space, tuple(arrays))
    found = [argument(each) for each in arrays]
    if not found or not all(each.backend for each in found):
        raise TypeError(f"{name} takes arrays, at least one, and no plain numbers")
    dtype = accepted(space.system.promote(*(each.operand for each in found)))
    backend = common_backend(each.backend for each in found if each.backend)
    made = backend.join(name, [each._data if isinstance(each, Array) else each for each in arrays], dtype, axis)
    wrapped = any(each.wrapped for each in found)
    return wrap(made, array_type(space, dtype, backend)) if wrapped else made
