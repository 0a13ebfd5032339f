"""Resolve a Python int beside an array: the dtype that its value gives, the refusal, or the wrapped number."""

from typing import Final

from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operands import Operand, Refusal, Result
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.errors import OutOfRangeError
from promo_runtime.plans.computation_dtype import accepted, is_native, plainly

#: NumPy reads ints of this size without rounding.
_LONG: Final = 2**53


class Literals:
    """The ints that may be beside one operand of an operation. Ints from `low` to `high` need no check."""

    def __init__(
        self,
        system: PromotionSystem,
        operation: str,
        beside: Operand,
        result: type[Shaped],
        compute: type[Shaped],
        *,
        reflected: bool,
        function: bool,
    ) -> None:
        self._system: Final = system
        self._operation: Final = operation
        self._beside: Final = beside
        self._reflected: Final = reflected
        self._function: Final = function
        self._result: Final = result
        self._compute: Final = compute
        self.low, self.high = self._harmless()

    def read(self, number: int) -> tuple[type[Shaped], int | float]:
        """The dtype of the result, and the number to compute with. Raises OutOfRangeError, PromotionError."""
        refusal = self._check(number)
        if refusal is not None:
            raise OutOfRangeError(refusal)
        dtype = accepted(self._resolve(number))
        if is_native(self._system, plainly(self._operation)):
            return dtype, number
        compute = self._compute if dtype is self._result else dtype
        if compute.kind == "b":
            return dtype, bool(number)
        if compute.kind in "fc":
            return dtype, float(number)
        if plainly(self._operation) == "pow" and not self._reflected:
            return dtype, _exponent(number, compute)
        return dtype, wrapped(number, compute)

    def _check(self, number: int) -> Refusal | None:
        return self._system.check_literal(self._operation, self._beside, number, reflected=self._reflected)

    def _resolve(self, number: int) -> Result:
        return self._system.resolve_literal(
            self._operation, self._beside, number, reflected=self._reflected, function=self._function
        )

    def _harmless(self) -> tuple[int, int]:
        """A range that needs no check: if its ends pass, all ints between them pass."""
        low, high = (-_LONG, _LONG) if self._compute.kind in "fc" else map(int, bounds(self._compute))
        for ends in ((low, high), (max(low, 0), high), (0, min(high, 127))):
            # A square may have a dtype of its own.
            if all(self._check(end) is None and self._resolve(end) is self._result for end in (*ends, min(2, high))):
                return ends
        return 1, 0


def bounds(dtype: type[Shaped]) -> tuple[int, int]:
    """Lowest and highest value of a bool or integer dtype."""
    return int(dtype.minimum), int(dtype.maximum)


def wrapped(number: int, dtype: type[Shaped]) -> int:
    """The number modulo 2**bits, in the range of an integer dtype."""
    low, high = bounds(dtype)
    return (number - low) % (high - low + 1) + low


def _exponent(number: int, dtype: type[Shaped]) -> int:
    """An exponent in the range of an integer dtype that gives the same powers modulo 2**bits.

    An odd base has an order that divides 2**(bits - 2), and an even one gives 0 from the exponent `bits` on.
    """
    if number <= dtype.bits or number <= dtype.maximum:
        return number
    return dtype.bits + (number - dtype.bits) % (1 << max(dtype.bits - 2, 0))
