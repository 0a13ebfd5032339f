"""A Python int given to a function beside arrays, or to fill one: the int that an array of its dtype is made of.

What becomes of one that the dtype cannot hold differs between libraries, and in some from function to function. All
this is measured by running them (tests/runtime/plans/test_int_arguments.py).
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from promo_mypy.rules.dtypes import Shaped, py_int, uint64
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.remedies import literal_remedy
from promo_runtime.errors import OutOfRangeError
from promo_runtime.functions.availability import root
from promo_runtime.numpy_dtypes import NUMPY_DTYPES
from promo_runtime.plans.int_literals import bounds, wrapped

#: What every library takes beside arrays that hold it.
_HARMLESS: Final = (1 << 31) - 1

#: System at the root -> the functions whose ints wrap; None for all that are not listed below.
_WRAPPING: Final[Mapping[str, frozenset[str] | None]] = MappingProxyType(
    {
        **dict.fromkeys(("jax", "jax-x32", "jax-strict", "torch")),
        **dict.fromkeys(("numpy", "numpy-legacy", "dask"), frozenset({"where"})),
    }
)
#: Functions of PyTorch that refuse such an int, unless it is a negative one for as large a positive one.
_REFUSING: Final = frozenset({"where", "clip", "full", "full_like"})
#: Functions of NumPy that compute with the int itself, whatever the dtype.
_EXACT: Final = frozenset({"clip", "insert", "isclose", "isin", "searchsorted"})
#: Functions of JAX that take every int of 64 bits, and no limits of its operators.
_FILLING: Final = frozenset({"full", "full_like"})


def may_wrap(system: PromotionSystem, function: str) -> bool:
    """Whether `fitted` does something."""
    functions = _WRAPPING.get(root(system), frozenset())
    return functions is None or function in functions


def fitted(system: PromotionSystem, function: str, dtype: type[Shaped], number: int) -> int:
    """The int modulo 2**bits, for a function whose ints wrap; else as it is, and NumPy raises OverflowError.

    `dtype`: the integer dtype of the array that is made of it. Raises OutOfRangeError where the system's library does.
    """
    low, high = bounds(dtype)
    if max(low, -_HARMLESS) <= number <= min(high, _HARMLESS) or not may_wrap(system, function):
        return number
    refusal = _refusal(system, function, dtype, number)
    if refusal is not None:
        raise OutOfRangeError(refusal)
    return wrapped(number, dtype)


def takes_numbers(system: PromotionSystem, function: str, dtype: type[Shaped]) -> bool:
    """Whether NumPy's function makes of Python's numbers beside arrays of that dtype what the system's library does."""
    if NUMPY_DTYPES[dtype.strong].isbuiltin != 1:
        return False
    return function in _EXACT and (system.name == "numpy" or (function == "clip" and dtype.kind == "f"))


def _refusal(system: PromotionSystem, function: str, dtype: type[Shaped], number: int) -> Refusal | None:
    low, high = bounds(dtype)
    if root(system) == "torch" and function in _REFUSING:
        limits = (low or max(-high, -(1 << 63)), high)
    elif root(system) in ("numpy", "numpy-legacy", "dask") or function in _FILLING:
        limits = (-(1 << 63), int(uint64.maximum))
    else:
        refusal = system.check_literal("add", Operand(dtype), number)
        return refusal and replace(refusal, operation=function)
    if limits[0] <= number <= limits[1]:
        return None
    reason = reasons.out_of_range(number, dtype.name, limits)
    remedy = literal_remedy(system.dialect, dtype, number, limits[1])
    return Refusal(system.name, function, (Operand(dtype), Operand(py_int)), reason, remedy)
