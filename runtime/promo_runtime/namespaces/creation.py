"""Create arrays from data, numbers and dtypes, with the dtypes of a system."""

import array
from collections.abc import Callable, Iterable
from functools import lru_cache
from types import NoneType
from typing import Any, Final

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems.numpy import NumpySystem
from promo_runtime.array.array import Array, data_of, wrap
from promo_runtime.array.array_types import array_type
from promo_runtime.array.space import Space
from promo_runtime.backends import Backend, backend_of
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.context.backend_in_use import backend_in_use
from promo_runtime.functions.availability import offers
from promo_runtime.numpy_dtypes import DTypeLike, dtype_of, numpy_dtype, read_dtype
from promo_runtime.plans.computation_dtype import accepted, given_as
from promo_runtime.plans.int_arguments import fitted, may_wrap

_SCALARS: Final = {"b": dt.py_bool, "i": dt.py_int, "u": dt.py_int, "f": dt.py_float, "c": dt.py_complex}

#: Types from which asarray reads numbers.
_SEQUENCES: Final = (list, tuple, range)

#: Types without `__array__` that NumPy reads as arrays of numbers.
_BUFFERS: Final = (memoryview, bytearray, array.array)


def default(space: Space, kind: str, function: str) -> type[dt.Shaped]:
    """The dtype of a Python number of that kind. Raises TypeError if the function's default was not measured."""
    found = _of_number(space.system, kind)
    if found is None:
        raise TypeError(f"{function} needs a dtype: what {space.system.name} uses without one is not in the rules")
    return found


@lru_cache(maxsize=256)
def _of_number(system: PromotionSystem, kind: str) -> type[dt.Shaped] | None:
    return accepted(system.promote(Operand(_SCALARS[kind]))) if offers(system, "defaults") else None


def named(space: Space, dtype: DTypeLike) -> type[dt.Shaped]:
    """The dtype of an array for a requested dtype. Raises PromotionError."""
    found = space.named.get(dtype)
    if found is None:
        found = space.named[dtype] = given_as(space.system, read_dtype(dtype))
    return found


def asarray(
    space: Space, obj: Any, dtype: DTypeLike | None, copy: bool | None, device: Any = None
) -> tuple[Any, type[dt.Shaped], Backend]:
    """The values, their dtype and the backend that holds them.

    An array keeps its dtype and backend; an array of another library, or a buffer, becomes a NumPy array. Numbers, also
    in nested sequences, have the system's dtype for Python numbers; a single one is weak if the system has weak arrays.
    Raises PromotionError for a dtype that the system lacks, OverflowError for an int that the dtype cannot hold,
    TypeError for data that are not numbers, ValueError for a device that the backend lacks, or for a necessary copy if
    `copy` is False.
    """
    if obj.__class__ is np.ndarray and device is None:  # as below, but without the backend
        of = named(space, obj.dtype if dtype is None else dtype)
        kept = obj.dtype is numpy_dtype(of) and not copy
        return obj if kept else _cast(NUMPY, obj, of, copy), of, NUMPY
    wanted = None if dtype is None else named(space, dtype)
    if isinstance(obj, Array):
        own = obj._type.dtype if obj._type.space is space else obj.dtype
        obj, backend = obj._data, obj._type.backend
        if device is not None:
            backend.check_device(device)
        wanted = wanted or named(space, own)
        return _cast(backend, obj, wanted, copy), wanted, backend
    found = backend_of(obj)
    if found is not None:
        if device is not None:
            found.check_device(device)
        wanted = wanted or named(space, found.dtype(obj))
        return _cast(found, obj, wanted, copy), wanted, found
    if hasattr(obj, "__array__") or isinstance(obj, _BUFFERS):
        return asarray(space, np.asarray(obj), dtype, copy, device)
    if wanted is None:
        wanted = _of_numbers(space, obj)
    backend = backend_in_use()
    backend.check_device(device)
    if copy is False:
        raise ValueError("an array made from Python numbers is a copy, but copy is False")
    return backend.asarray(obj, wanted, copy=copy), wanted, backend


def _cast(backend: Backend, array: Any, dtype: type[dt.Shaped], copy: bool | None) -> Any:
    if isinstance(array, np.generic):
        array = np.asarray(array)
    if copy is False and backend.dtype(array) is not dtype.strong:
        raise ValueError(f"a {dtype.name} array of these values needs a copy, but copy is False")
    return backend.cast(array, dtype, copy=bool(copy))


def _of_numbers(space: Space, obj: Any) -> type[dt.Shaped]:
    for each in _leaves(obj):
        if not isinstance(each, int | float | complex) or isinstance(each, np.generic):
            what = "numbers of NumPy" if isinstance(each, np.generic) else type(each).__name__
            raise TypeError(
                f"asarray takes arrays and Python's numbers, not {what} in a sequence: give a dtype, or stack"
            )
    seen = np.asarray(obj).dtype
    if seen.kind == "O":
        raise OverflowError("asarray without a dtype takes only ints that fit 64 bits: write them as floats")
    if isinstance(space.system, NumpySystem) or (space.strict and seen.kind == "u"):  # ints beyond int64
        return dtype_of(seen)
    found = default(space, seen.kind, "asarray") if seen.kind in _SCALARS else dtype_of(seen)
    return found.strong if isinstance(obj, _SEQUENCES) else found


def _leaves(obj: Any) -> Iterable[Any]:
    if not isinstance(obj, _SEQUENCES):
        yield obj
        return
    for each in obj:
        yield from _leaves(each)


def created(
    space: Space,
    name: str,
    arguments: tuple[Any, ...],
    dtype: DTypeLike | None,
    kind: str,
    device: Any = None,
    **keywords: Any,
) -> Any:
    """A plain array of the backend in use.

    `kind`: the kind of Python number that decides the dtype if none is given. It is "" for other values: libraries
    differ for them, so a TypeError asks for a dtype.
    """
    backend = backend_in_use()
    if device is not None:
        backend.check_device(device)
    key = name, kind, dtype, backend
    create = space.creators.get(key)
    if create is None:
        if dtype is None and not kind:
            given = ", ".join(type(each).__name__ for each in arguments)
            raise TypeError(f"{name} without a dtype takes Python's numbers, not ({given}): give a dtype")
        wanted = default(space, kind, name) if dtype is None else named(space, dtype)
        create = space.creators[key] = _creator(space, backend, name, wanted.strong)
    if not kind:
        arguments = tuple(map(data_of, arguments))
    return create(*arguments, **keywords)


def _creator(space: Space, backend: Backend, name: str, dtype: type[dt.Shaped]) -> Callable[..., Any]:
    create = backend.creator(name.removesuffix("_like"), dtype)
    if not name.startswith("full") or dtype.kind not in "ui" or not may_wrap(space.system, name):
        return create

    def full(shape: Any, number: Any) -> Any:
        return create(shape, fitted(space.system, name, dtype, number) if isinstance(number, int) else number)

    return full


def frequencies(space: Space, name: str, n: int, d: float, dtype: DTypeLike | None, device: Any) -> Any:
    """The frequencies of a transform of n points at distances d; floats without a dtype."""
    backend = backend_in_use()
    if device is not None:
        backend.check_device(device)
    wanted = default(space, "f", name) if dtype is None else named(space, dtype)
    return backend.cast(backend.function(f"fft.{name}")(n, d=d), wanted.strong)


def from_dlpack(x: Any) -> Any:
    """The data of a wrapped array, an array of a backend unchanged, or a NumPy view of any other array."""
    data = data_of(x)
    return data if backend_of(data) is not None else np.from_dlpack(data)


def alike(
    space: Space, name: str, x: Any, arguments: tuple[Any, ...], dtype: DTypeLike | None, device: Any = None
) -> Any:
    """An array of the shape, backend, dtype and kind of `x`."""
    data, kept, backend = asarray(space, x, None, None, device)
    wanted = kept if dtype is None else named(space, dtype)
    key = name, "", wanted, backend
    create = space.creators.get(key)
    if create is None:
        create = space.creators[key] = _creator(space, backend, name, wanted.strong)
    made = create(data.shape, *arguments)
    return wrap(made, array_type(space, wanted, backend)) if isinstance(x, Array) else made


#: The classes of Python numbers. NumPy's float64 and complex128 are subclasses of them.
_INTS: Final = (int, np.int64)


def _kind_of(*classes: type) -> str:
    kinds = {
        next((kind for kind, numbers in _KINDS if issubclass(each, numbers)), "")
        for each in classes
        if each is not NoneType
    }
    return "" if "" in kinds else max(kinds, key="bifc".index, default="")


_KINDS: Final = (("b", bool), ("i", _INTS), ("f", float), ("c", complex))

kind_of: Final[Callable[..., str]] = lru_cache(maxsize=256)(_kind_of)
"""The highest kind of some classes of numbers, without None; "" if one is not a class of Python numbers."""
