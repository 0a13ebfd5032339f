# Before NumPy 2.4, these attributes of its class are Final. NumPy's stubs relate complex64 and complex128, so two
# overloads overlap; no scalar is both.
# mypy: disable-error-code="misc"

from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar, overload, type_check_only

import ml_dtypes
import numpy as np

_Scalar = TypeVar("_Scalar", bound=np.generic)
_Scalar_co = TypeVar("_Scalar_co", bound=np.generic, covariant=True)
_Float = TypeVar("_Float", bound=ml_dtypes._Float | np.floating)

@type_check_only
class _HasDType(Protocol[_Scalar_co]):
    @property
    def dtype(self) -> np.dtype[_Scalar_co]: ...

# For the types of ml_dtypes the object is a plain numpy.finfo; the type argument is the type of its fields.
class finfo(np.finfo[Any], Generic[_Scalar_co]):
    dtype: np.dtype[_Scalar_co]
    eps: _Scalar_co
    max: _Scalar_co
    min: _Scalar_co
    smallest_normal: _Scalar_co
    smallest_subnormal: _Scalar_co
    @cached_property
    def epsneg(self) -> _Scalar_co: ...
    @cached_property
    def resolution(self) -> _Scalar_co: ...
    @cached_property
    def tiny(self) -> _Scalar_co: ...
    @overload
    def __new__(cls, dtype: type[_Float] | np.dtype[_Float] | _HasDType[_Float]) -> finfo[_Float]: ...
    @overload
    def __new__(
        cls, dtype: type[ml_dtypes.bcomplex32] | np.dtype[ml_dtypes.bcomplex32] | _HasDType[ml_dtypes.bcomplex32]
    ) -> finfo[ml_dtypes.bfloat16]: ...
    @overload
    def __new__(
        cls, dtype: type[ml_dtypes.complex32] | np.dtype[ml_dtypes.complex32] | _HasDType[ml_dtypes.complex32]
    ) -> finfo[np.float16]: ...
    @overload
    def __new__(
        cls, dtype: type[np.complex64] | np.dtype[np.complex64] | _HasDType[np.complex64]
    ) -> finfo[np.float32]: ...
    @overload
    def __new__(cls, dtype: type[complex]) -> finfo[np.float64]: ...
    @overload
    def __new__(cls, dtype: np.dtype[np.complex128] | _HasDType[np.complex128]) -> finfo[np.float64]: ...
    @overload
    def __new__(cls, dtype: str) -> finfo[Any]: ...
