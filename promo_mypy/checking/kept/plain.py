"""Turn small immutable values into JSON data and back, by the annotations of their classes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def plain(value: object) -> Any:
    """A value as JSON data: the fields of dataclasses as arrays, mappings as arrays of pairs, sets sorted."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple | list):
        return list(map(plain, value))
    if isinstance(value, frozenset):
        return sorted(map(plain, value))
    if isinstance(value, Mapping):
        return [[plain(key), plain(each)] for key, each in value.items()]
    if is_dataclass(value):
        return [plain(getattr(value, each.name)) for each in fields(value)]
    raise TypeError(f"{type(value).__name__} has no form in JSON here")


def reader(annotation: Any) -> Callable[[Any], Any]:
    """The function that makes a value of that annotation from JSON data.

    It raises TypeError, ValueError or LookupError for other data. Annotations are plain types, dataclasses, named
    tuples, enums, tuples, mappings, and unions of one of them with None.
    """
    return _reader(annotation)


@cache
def _reader(annotation: Any) -> Callable[[Any], Any]:
    if annotation in (str, int, float, bool):
        return _checked(annotation)
    if isinstance(annotation, type) and is_dataclass(annotation):
        return _fields_reader(annotation, [each.name for each in fields(annotation)])
    if isinstance(annotation, type) and issubclass(annotation, tuple):
        return _fields_reader(annotation, list(annotation.__annotations__))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return annotation
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        (one,) = (reader(each) for each in arguments if each is not NoneType)
        return lambda data: None if data is None else one(data)
    if origin is tuple:
        item = reader(arguments[0])
        return lambda data: tuple(map(item, data))
    if origin is not None and issubclass(origin, Mapping):
        key, value = map(reader, arguments)
        return lambda data: {key(one): value(other) for one, other in data}
    raise TypeError(f"{annotation} has no form in JSON here")


def _checked(plain_type: type) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if type(data) is not plain_type:
            raise TypeError(f"expected {plain_type.__name__}, not {data!r}")
        return data

    return read


def _fields_reader(made: type, names: Sequence[str]) -> Callable[[Any], Any]:
    hints = get_type_hints(made)
    readers = [reader(hints[name]) for name in names]
    return lambda data: made(*(read(each) for read, each in zip(readers, data, strict=True)))
