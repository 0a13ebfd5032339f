"""NumPy scalars beside an `Array`: PyTorch and Paddle read them as Python numbers, and so do the rules."""

from collections.abc import Callable
from typing import Any, Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.mixing import SCALARS
from promo_mypy.rules.operands import Form
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.functions.availability import root_name
from promo_runtime.plans.arguments import Argument

Convert = Callable[[Any], Any]

#: Class of a Python number -> its conversion. A complex number that counts as a float loses its imaginary part.
_MAKE: Final[dict[type[dt.PythonScalar], Convert]] = {
    dt.py_int: int,
    dt.py_float: lambda number: float(number.real),
    dt.py_complex: complex,
}


def conversions(system: PromotionSystem, arguments: list[Argument]) -> list[Convert | None]:
    """The conversions of arguments to Python numbers, None for unchanged arguments.

    Beside plain arrays nothing is converted: NumPy scalars are 0-d results of earlier calls. Raises
    TypeError for a scalar that the library does not read as a number.
    """
    stands_for = SCALARS.get(root_name(system))
    if stands_for is None or not any(each.wrapped for each in arguments):
        return [None] * len(arguments)
    beside = frozenset(
        each.operand.dtype
        for each in arguments
        if each.operand.form is not Form.SCALAR and issubclass(each.operand.dtype, dt.Shaped)
    )
    found: list[Convert | None] = []
    for each in arguments:
        dtype = each.operand.dtype
        if each.operand.form is not Form.SCALAR or issubclass(dtype, dt.PythonScalar):
            found.append(None)
            continue
        number = stands_for(dtype, beside)
        if number is None:
            raise TypeError(f"{system.name} does not accept a NumPy scalar of {dtype.name} as a number: write x.item()")
        found.append(_MAKE[number])
    return found
