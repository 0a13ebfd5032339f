"""Check a Python int that a function gets beside arrays, or fills an array with.

Libraries, and even functions of one library, differ in how they treat an int that the dtype cannot hold. All
of this was measured by running them (tests/runtime/plans/test_int_arguments.py).
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from promo_mypy.rules.dtypes import Shaped, py_int, uint64
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.value_remedies import literal_remedy
from promo_runtime.errors import OutOfRangeError
from promo_runtime.functions.availability import root_name
from promo_runtime.numpy_dtypes import NUMPY_DTYPES
from promo_runtime.plans.int_literals import bounds, wrapped

#: The range that every library accepts beside arrays that hold it.
_HARMLESS: Final = (1 << 31) - 1

#: Root system -> the functions whose ints wrap; None for all functions that are not listed below.
_WRAPPING: Final[Mapping[str, frozenset[str] | None]] = MappingProxyType(
    {
        **dict.fromkeys(("jax", "jax-x32", "jax-strict", "torch")),
        **dict.fromkeys(("numpy", "numpy-legacy", "dask"), frozenset({"where"})),
    }
)
#: Functions of PyTorch that reject such an int, unless it is the negative of an int in range.
_REFUSING: Final = frozenset({"where", "clip", "full", "full_like"})
#: Functions of NumPy that compute with the int itself, whatever the dtype.
_EXACT: Final = frozenset({"clip", "insert", "isclose", "isin", "searchsorted"})
#: Functions of JAX that accept every int of 64 bits, without the limits of operators.
_FILLING: Final = frozenset({"full", "full_like"})


def may_wrap(system: PromotionSystem, function: str) -> bool:
    """Whether `fitted` may change an int."""
    functions = _WRAPPING.get(root_name(system), frozenset())
    return functions is None or function in functions


def fitted(system: PromotionSystem, function: str, dtype: type[Shaped], number: int) -> int:
    """The int modulo 2**bits, for a function whose ints wrap; else unchanged, and NumPy raises OverflowError.

    `dtype`: the integer dtype of its array. Raises OutOfRangeError if the system's library raises.
    """
    low, high = bounds(dtype)
    if max(low, -_HARMLESS) <= number <= min(high, _HARMLESS) or not may_wrap(system, function):
        return number
    refusal = _refusal(system, function, dtype, number)
    if refusal is not None:
        raise OutOfRangeError(refusal)
    return wrapped(number, dtype)


def takes_numbers(system: PromotionSystem, function: str, dtype: type[Shaped]) -> bool:
    """Whether NumPy's function treats Python numbers beside arrays of that dtype as the system's library does."""
    if NUMPY_DTYPES[dtype.strong].isbuiltin != 1:
        return False
    return function in _EXACT and (system.name == "numpy" or (function == "clip" and dtype.kind == "f"))


def _refusal(system: PromotionSystem, function: str, dtype: type[Shaped], number: int) -> Refusal | None:
    low, high = bounds(dtype)
    if root_name(system) == "torch" and function in _REFUSING:
        limits = (low or max(-high, -(1 << 63)), high)
    elif root_name(system) in ("numpy", "numpy-legacy", "dask") or function in _FILLING:
        limits = (-(1 << 63), int(uint64.maximum))
    else:
        refusal = system.check_literal("add", Operand(dtype), number)
        return refusal and replace(refusal, operation=function)
    if limits[0] <= number <= limits[1]:
        return None
    reason = reasons.out_of_range(number, dtype.name, limits)
    remedy = literal_remedy(system.dialect, dtype, number, limits[1], 0)
    return Refusal(system.name, function, (Operand(dtype), Operand(py_int)), reason, remedy)
