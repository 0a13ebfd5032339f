"""The methods of an `Array` that are functions of its namespace: reductions, searching, rearranging.

They have NumPy's names and the keywords of the standard: `x.std(axis=0, correction=1)`.
"""

# Functions return plain arrays for plain arrays, so their results have the type Any.
# mypy: disable-error-code="no-any-return"

from typing import Any, Generic, TypeAlias, TypeVar

from promo_runtime.array.array_types import ArrayType
from promo_runtime.numpy_dtypes import DTypeLike

Result = TypeVar("Result")
"""The class of the arrays: `Array`, which inherits from this class."""

Axes: TypeAlias = int | tuple[int, ...] | None


def _over(function: Any, array: "Methods[Result]", axis: Axes, keepdims: bool) -> Result:
    """Call the reduction with the arguments that differ from its defaults: each keyword costs a look-up."""
    if keepdims:
        return function(array, axis=axis, keepdims=True)
    return function(array) if axis is None else function(array, axis=axis)


class Methods(Generic[Result]):
    """Methods that `Array` inherits."""

    __slots__ = ()
    _type: ArrayType

    def sum(self, axis: Axes = None, dtype: DTypeLike | None = None, *, keepdims: bool = False) -> Result:
        """The sum of the elements."""
        if dtype is None:
            return _over(self._type.space.sum, self, axis, keepdims)
        return self._type.space.sum(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(self, axis: Axes = None, dtype: DTypeLike | None = None, *, keepdims: bool = False) -> Result:
        """The product of the elements."""
        if dtype is None:
            return _over(self._type.space.prod, self, axis, keepdims)
        return self._type.space.prod(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Axes = None, *, keepdims: bool = False) -> Result:
        """The mean of the elements."""
        return _over(self._type.space.mean, self, axis, keepdims)

    def std(self, axis: Axes = None, *, correction: float = 0.0, keepdims: bool = False) -> Result:
        """The standard deviation; the sum of squares is divided by n - correction."""
        if not correction:
            return _over(self._type.space.std, self, axis, keepdims)
        return self._type.space.std(self, axis=axis, correction=correction, keepdims=keepdims)

    def var(self, axis: Axes = None, *, correction: float = 0.0, keepdims: bool = False) -> Result:
        """The variance; the sum of squares is divided by n - correction."""
        if not correction:
            return _over(self._type.space.var, self, axis, keepdims)
        return self._type.space.var(self, axis=axis, correction=correction, keepdims=keepdims)

    def max(self, axis: Axes = None, *, keepdims: bool = False) -> Result:
        """The greatest element."""
        return _over(self._type.space.max, self, axis, keepdims)

    def min(self, axis: Axes = None, *, keepdims: bool = False) -> Result:
        """The least element."""
        return _over(self._type.space.min, self, axis, keepdims)

    def all(self, axis: Axes = None, *, keepdims: bool = False) -> Result:
        """Whether no element is zero."""
        return _over(self._type.space.all, self, axis, keepdims)

    def any(self, axis: Axes = None, *, keepdims: bool = False) -> Result:
        """Whether an element is not zero."""
        return _over(self._type.space.any, self, axis, keepdims)

    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Result:
        """The index of the greatest element."""
        return _over(self._type.space.argmax, self, axis, keepdims)

    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Result:
        """The index of the least element."""
        return _over(self._type.space.argmin, self, axis, keepdims)

    def argsort(self, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Result:
        """The indices that sort the elements."""
        return self._type.space.argsort(self, axis=axis, descending=descending, stable=stable)

    def cumsum(self, axis: int | None = None, dtype: DTypeLike | None = None) -> Result:
        """The cumulative sums; over all dimensions without an axis."""
        return self._type.space.cumsum(self, axis=axis, dtype=dtype)

    def cumprod(self, axis: int | None = None, dtype: DTypeLike | None = None) -> Result:
        """The cumulative products; over all dimensions without an axis."""
        return self._type.space.cumprod(self, axis=axis, dtype=dtype)

    def clip(self, min: Any = None, max: Any = None) -> Result:
        """The elements, limited to the bounds."""
        return self._type.space.clip(self, min, max)

    def round(self) -> Result:
        """The nearest whole numbers; ties go to the even one."""
        return self._type.space.round(self)

    def conj(self) -> Result:
        """The conjugates."""
        return self._type.space.conj(self)

    @property
    def real(self) -> Result:
        """The real parts."""
        return self._type.space.real(self)

    @property
    def imag(self) -> Result:
        """The imaginary parts."""
        return self._type.space.imag(self)

    def nonzero(self) -> tuple[Result, ...]:
        """The indices of elements that are not zero, one array for each dimension."""
        return self._type.space.nonzero(self)

    def searchsorted(self, v: Any, side: str = "left", sorter: Any = None) -> Result:
        """Where to insert the elements of v."""
        return self._type.space.searchsorted(self, v, side=side, sorter=sorter)

    def trace(self, offset: int = 0, *, dtype: DTypeLike | None = None) -> Result:
        """The sum of a diagonal of each matrix."""
        return self._type.space.linalg.trace(self, offset=offset, dtype=dtype)

    def take(self, indices: Any, axis: int | None = None) -> Result:
        """The elements at some indices along an axis."""
        return self._type.space.take(self, indices, axis=axis)

    def repeat(self, repeats: Any, axis: int | None = None) -> Result:
        """The elements, each repeated several times."""
        return self._type.space.repeat(self, repeats, axis=axis)

    def squeeze(self, axis: int | tuple[int, ...]) -> Result:
        """The array without these dimensions of length 1."""
        return self._type.space.squeeze(self, axis)

    def ravel(self) -> Result:
        """All elements in one dimension."""
        return self._type.space.reshape(self, (-1,))
