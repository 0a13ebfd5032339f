"""`Array[DType]`: an array of a backend, with the operators of one promotion system."""

# Results of backends and of functions of the namespace have the type Any.
# mypy: disable-error-code="no-any-return"

from collections.abc import Iterator
from typing import Any, Final, Generic, TypeVar, final

import numpy as np

from promo_mypy.rules.dtypes import Shaped
from promo_runtime.array.array_types import ArrayType
from promo_runtime.array.methods import Methods
from promo_runtime.array.operators import Operators
from promo_runtime.numpy_dtypes import DTypeLike

#: The versions of the standard whose functions the namespace has.
API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

DType = TypeVar("DType", bound=Shaped, covariant=True)
_new: Final = object.__new__


@final
class Array(Methods["Array[Any]"], Operators["Array[Any]"], Generic[DType]):
    """Values of dtype `DType` under one promotion system, which every operator follows.

    `asarray` and functions of arrays create it. Like a NumPy array, it is mutable (if the system's library has
    mutable arrays) and not hashable, and indexing gives views. If the library has weak arrays (JAX), see `weak`.
    """

    __slots__ = ("_data", "_type")
    _data: Any
    _type: ArrayType

    def __init__(self) -> None:
        raise TypeError("make arrays with promo_runtime.asarray(data, dtype=..., system=...)")

    @property
    def dtype(self) -> type[Shaped]:
        """The dtype without weakness."""
        return self._type.dtype.strong

    @property
    def weak(self) -> bool:
        """Whether it yields to other arrays like a Python number."""
        return self._type.dtype.weak

    @property
    def system(self) -> str:
        """The name of the promotion system."""
        return self._type.system.name

    @property
    def backend(self) -> str:
        """The library that holds the values: "numpy", "cupy", "dask"."""
        return self._type.backend.name

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._data.shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self._data.size)

    @property
    def nbytes(self) -> int:
        """The number of bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def device(self) -> Any:
        """The device of the data."""
        return getattr(self._data, "device", "cpu")

    @property
    def T(self) -> "Array[DType]":  # noqa: N802 (the standard's name)
        """The transpose of a matrix. Raises ValueError for other ranks if the standard leaves them undefined."""
        if self._type.space.strict and self.ndim != 2:
            raise ValueError(f"the array has {self.ndim} dimensions: use mT to transpose a stack of matrices")
        return wrap(self._data.T, self._type)

    @property
    def mT(self) -> "Array[DType]":  # noqa: N802 (the standard's name)
        """The transpose of each matrix of a stack."""
        return self._type.space.matrix_transpose(self)

    def astype(self, dtype: DTypeLike, *, copy: bool = True) -> "Array[Any]":
        """The values in another dtype, never weak. Raises PromotionError for a dtype that the system lacks."""
        return self._type.space.astype(self, dtype, copy=copy)

    def reshape(self, *shape: int | tuple[int, ...]) -> "Array[DType]":
        """The values in another shape: `x.reshape(2, 3)` or `x.reshape((2, 3))`."""
        wanted = shape[0] if len(shape) == 1 else shape
        return self._type.space.reshape(self, wanted)

    def copy(self) -> "Array[DType]":
        """A copy with the same values."""
        return wrap(self._type.backend.cast(self._data, self.dtype, copy=True), self._type)

    def item(self) -> Any:
        """The only element, as a Python number."""
        return self._type.backend.to_numpy(self._data).item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self._type.backend.to_numpy(self._data).tolist()

    def __getitem__(self, key: Any) -> "Array[DType]":
        index = _index(key)
        data = self._type.backend.item(self._data, index)
        if isinstance(data, np.generic):  # a 0-d view instead
            data = self._data[(*index, ...) if isinstance(index, tuple) else (index, ...)]
        return wrap(data, self._type)

    def __setitem__(self, key: Any, value: Any) -> None:
        if not self._type.space.mutable:
            raise TypeError(f"arrays under {self.system} promotion are immutable: make a new one with where(...)")
        if self._type.space.strict:
            self._type.space.check_stored(self, value)
        self._type.backend.store(self._data, _index(key), data_of(value))

    def __len__(self) -> int:
        return len(self._data)

    def __iter__(self) -> Iterator["Array[DType]"]:
        if not self.ndim:
            raise TypeError("a 0-d array has no elements to iterate over")
        return (self[place] for place in range(self.shape[0]))

    def __bool__(self) -> bool:
        return bool(self._data)

    def __int__(self) -> int:
        return int(self._data)

    def __float__(self) -> float:
        return float(self._data)

    def __complex__(self) -> complex:
        return complex(self._data)

    def __index__(self) -> int:
        return self._data.__index__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.asarray(self._data, dtype=dtype, copy=copy)

    def to_device(self, device: Any, /, *, stream: Any = None) -> "Array[DType]":
        """The array itself: it is never moved. Raises ValueError for another device."""
        del stream  # for devices with several streams
        self._type.backend.check_device(device)
        return self

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        if api_version is not None and api_version not in API_VERSIONS:
            raise ValueError(f"no version {api_version!r} of the array API standard: {', '.join(API_VERSIONS)}")
        return self._type.space.of_arrays

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        return self._type.space.ufunc(ufunc, method, inputs, keywords)

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        del types
        return self._type.space.numpy_function(function, arguments, keywords)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        given = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        return self._data.__dlpack__(**{name: value for name, value in given.items() if value is not None})

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._data.__dlpack_device__()

    def __copy__(self) -> "Array[DType]":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Array[DType]":
        del memo  # an array holds nothing else that a copy could share
        return self.copy()

    def __repr__(self) -> str:
        data = self._data
        shown = np.array2string(data, separator=", ", prefix="Array(") if isinstance(data, np.ndarray) else repr(data)
        return f"Array({shown}, dtype={self._type.dtype.name}, system={self.system}, backend={self.backend})"

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and not self.ndim else object.__format__(self, spec)


def wrap(data: Any, kind: ArrayType) -> "Array[Any]":
    """The `Array` of these values; `kind` has everything but the rank. NumPy scalars become 0-d arrays."""
    array = _new(Array)
    array._data = np.asarray(data) if isinstance(data, np.generic) else data
    array._type = kind if (not data.ndim) is kind.zero_d else kind.other_rank
    return array


def data_of(value: Any) -> Any:
    """The data of an `Array`; any other value unchanged."""
    return value._data if isinstance(value, Array) else value


def _index(key: Any) -> Any:
    return tuple(map(data_of, key)) if isinstance(key, tuple) else data_of(key)
