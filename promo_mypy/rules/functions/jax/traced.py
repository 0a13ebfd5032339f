"""The dtypes of values that JAX traces. Python numbers and NumPy arrays become JAX arrays, and a loop keeps
the dtype of its carry.

Measured with JAX 0.10.2: tests/plugin/transforms/test_carries.py executes every pair of dtypes.
"""

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import X32
from promo_mypy.rules.operands import Operand, Refusal, Result
from promo_mypy.rules.promotion import PromotionSystem

_PYTHON = {dt.py_int: dt.weak_int64, dt.py_float: dt.weak_float64, dt.py_complex: dt.weak_complex128}


def traced(dtype: type[dt.Shaped] | type[dt.PythonScalar], *, x64: bool) -> type[dt.Shaped]:
    """The dtype of the JAX array that stands for a value while JAX traces a function. A Python number becomes weak."""
    if issubclass(dtype, dt.PythonScalar):
        if dtype is dt.py_bool:
            return dt.bool_
        wide: type[dt.Shaped] = _PYTHON[dtype]
        return wide if x64 else dt.WEAK[X32[wide.strong]]
    return dtype if x64 else X32.get(dtype, dtype)


def same_dtype(one: type[dt.Shaped], other: type[dt.Shaped]) -> bool:
    """Whether JAX accepts one dtype for the other in a loop or a branch. Weakness does not count."""
    return one.strong is other.strong


def carried(before: type[dt.Shaped], after: type[dt.Shaped], system: PromotionSystem, *, is_weak: bool) -> Result:
    """The dtype of a carry that enters a loop whose body turned `before` into `after`.

    `is_weak`: whether the carry is weak. The dtype shows it, except for bool: a comparison of weak arrays is a weak
    bool.

    JAX traces the body once with the initial carry. A weak carry whose dtype changed is promoted together with the
    result, which makes it strong, and the body is traced again. A strong carry is never promoted. Then both sides
    must be `same_dtype`.
    """
    if not is_weak or same_dtype(before, after):
        return before
    found = system.promote(Operand(before), Operand(after))
    return found if isinstance(found, Refusal) else found.strong
