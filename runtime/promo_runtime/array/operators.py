"""Python's operators on an `Array`: each is a function of the namespace of the array's system.

If the library has in-place operators, `x += y` keeps the dtype of x or raises; else it rebinds the name.
"""

# Functions return plain arrays for plain arrays, so their results have the type Any.
# mypy: disable-error-code="no-any-return"

from typing import Any, Final, Generic, TypeAlias, TypeVar

import numpy as np

from promo_runtime.array.array_types import ArrayType
from promo_runtime.backends import is_array

Result = TypeVar("Result")
"""The class of the arrays: `Array`, which inherits from this class."""

Operand: TypeAlias = Result | np.ndarray[Any, Any] | np.generic | complex
"""The other operand; it may also be an array of another backend, for which there is no common type."""

_KNOWN: Final = frozenset({np.ndarray, bool, int, float, complex})


def _is_operand(value: object) -> bool:
    return isinstance(value, Operators | bool | int | float | complex) or is_array(value)


class Operators(Generic[Result]):
    """Operators that `Array` inherits."""

    __slots__ = ()
    _type: ArrayType
    __hash__ = None  # type: ignore[assignment] # as NumPy's: == compares elements

    def _with(self, function: Any, one: Any, other: Any) -> Any:
        """Call the function of two operands. For an unknown operand return NotImplemented, so that Python tries its
        operator.
        """
        return function(one, other) if _is_operand(one) and _is_operand(other) else NotImplemented

    def __add__(self, other: Operand[Result]) -> Result:
        function = self._type.space.add
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __radd__(self, other: Operand[Result]) -> Result:
        function = self._type.space.add
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __iadd__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["iadd"], self, other)

    def __sub__(self, other: Operand[Result]) -> Result:
        function = self._type.space.subtract
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rsub__(self, other: Operand[Result]) -> Result:
        function = self._type.space.subtract
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __isub__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["isub"], self, other)

    def __mul__(self, other: Operand[Result]) -> Result:
        function = self._type.space.multiply
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rmul__(self, other: Operand[Result]) -> Result:
        function = self._type.space.multiply
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __imul__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["imul"], self, other)

    def __truediv__(self, other: Operand[Result]) -> Result:
        function = self._type.space.divide
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rtruediv__(self, other: Operand[Result]) -> Result:
        function = self._type.space.divide
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __itruediv__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["itruediv"], self, other)

    def __floordiv__(self, other: Operand[Result]) -> Result:
        function = self._type.space.floor_divide
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rfloordiv__(self, other: Operand[Result]) -> Result:
        function = self._type.space.floor_divide
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __ifloordiv__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["ifloordiv"], self, other)

    def __mod__(self, other: Operand[Result]) -> Result:
        function = self._type.space.remainder
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rmod__(self, other: Operand[Result]) -> Result:
        function = self._type.space.remainder
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __imod__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["imod"], self, other)

    def __pow__(self, other: Operand[Result]) -> Result:
        function = self._type.space.operations["pow"]
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rpow__(self, other: Operand[Result]) -> Result:
        function = self._type.space.operations["pow"]
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __ipow__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["ipow"], self, other)

    def __matmul__(self, other: Operand[Result]) -> Result:
        function = self._type.space.matmul
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rmatmul__(self, other: Operand[Result]) -> Result:
        function = self._type.space.matmul
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __imatmul__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["imatmul"], self, other)

    def __and__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_and
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rand__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_and
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __iand__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["iand"], self, other)

    def __or__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_or
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __ror__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_or
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __ior__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["ior"], self, other)

    def __xor__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_xor
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rxor__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_xor
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __ixor__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["ixor"], self, other)

    def __lshift__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_left_shift
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rlshift__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_left_shift
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __ilshift__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["ilshift"], self, other)

    def __rshift__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_right_shift
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __rrshift__(self, other: Operand[Result]) -> Result:
        function = self._type.space.bitwise_right_shift
        return function(other, self) if other.__class__ in _KNOWN else self._with(function, other, self)

    def __irshift__(self, other: Operand[Result]) -> Result:
        return self._with(self._type.space.in_place["irshift"], self, other)

    def __eq__(self, other: Operand[Result]) -> Result:  # type: ignore[override] # elements, as NumPy
        function = self._type.space.equal
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __ne__(self, other: Operand[Result]) -> Result:  # type: ignore[override] # elements, as NumPy
        function = self._type.space.not_equal
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __lt__(self, other: Operand[Result]) -> Result:
        function = self._type.space.less
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __le__(self, other: Operand[Result]) -> Result:
        function = self._type.space.less_equal
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __gt__(self, other: Operand[Result]) -> Result:
        function = self._type.space.greater
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    def __ge__(self, other: Operand[Result]) -> Result:
        function = self._type.space.greater_equal
        if other.__class__ in _KNOWN or other.__class__ is self.__class__:
            return function(self, other)
        return self._with(function, self, other)

    # The array API standard has no divmod: Python reports unsupported operands.
    def __divmod__(self, other: Operand[Result]) -> tuple[Result, Result]:
        function = getattr(self._type.space, "divmod", None)
        return NotImplemented if function is None else self._with(function, self, other)

    def __rdivmod__(self, other: Operand[Result]) -> tuple[Result, Result]:
        function = getattr(self._type.space, "divmod", None)
        return NotImplemented if function is None else self._with(function, other, self)

    def __neg__(self) -> Result:
        return self._type.space.negative(self)

    def __pos__(self) -> Result:
        return self._type.space.positive(self)

    def __invert__(self) -> Result:
        return self._type.space.bitwise_invert(self)

    def __abs__(self) -> Result:
        return self._type.space.abs(self)
