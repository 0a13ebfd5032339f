"""Find the arrays among the values of a mypy type: their libraries and their possible dtypes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from mypy.types import Instance, Type, TypeVarType, UnionType

from promo_mypy.plugin.interface.arrays import (
    Library,
    array_row,
    as_array,
    may_be_anything,
    members,
    names,
    opened,
    read,
)
from promo_mypy.rules import dtypes as dt


@dataclass(frozen=True, slots=True)
class Arrays:
    """The arrays and NumPy scalars that a value may be; `dtypes` is None if any of them is of unknown dtype."""

    libraries: frozenset[Library]
    dtypes: frozenset[type[dt.Shaped]] | None


def arrays_of(typ: Type, platform: str) -> Arrays | None:
    """The arrays among the values of a type, if any.

    Members of a union that are not arrays (None, a Python float) do not count: the answer holds for a value that is
    an array. An Any member may be an array of any dtype. A type variable stands for its upper bound.
    """
    found = united(_arrays_of_instance(each, platform) for each in _instances(typ))
    return Arrays(found.libraries, None) if found is not None and may_be_anything(typ) else found


def united(found: Iterable[Arrays | None]) -> Arrays | None:
    """The arrays of a value that may be any of these."""
    arrays = [each for each in found if each is not None]
    if not arrays:
        return None
    known = [each.dtypes for each in arrays if each.dtypes is not None]
    libraries = frozenset().union(*(each.libraries for each in arrays))
    return Arrays(libraries, frozenset().union(*known) if len(known) == len(arrays) else None)


#: No array: the first guess of what a value is that depends on itself.
NOTHING: Final = Arrays(frozenset(), frozenset())


def united_known(found: Iterable[Arrays | None]) -> Arrays | None:
    """The same; None if any of them is unknown, or without any."""
    every = list(found)
    if None in every:
        return None
    return united(each for each in every if each != NOTHING) or (NOTHING if every else None)


def _instances(typ: Type) -> Iterator[Instance]:
    for member in members(typ):
        if isinstance(member, TypeVarType):
            yield from _instances(member.upper_bound)
        elif isinstance(member, Instance):
            yield _without_variables(member)


def _without_variables(instance: Instance) -> Instance:
    """The instance with upper bounds, or the union of all values, in place of its type variables."""
    return instance.copy_modified(args=[_bound(argument) for argument in instance.args]) if instance.args else instance


def _bound(argument: Type) -> Type:
    proper = opened(argument)
    if isinstance(proper, TypeVarType):
        return UnionType.make_union(proper.values) if proper.values else proper.upper_bound
    return _without_variables(proper) if isinstance(proper, Instance) else argument


def _arrays_of_instance(instance: Instance, platform: str) -> Arrays | None:
    row = array_row(instance)
    if row is None:
        if not instance.type.has_base(names.NUMPY_GENERIC):
            return None
        library = Library.NUMPY
    else:
        library = row.library
        if not as_array(instance, row.array).args:
            return Arrays(frozenset({library}), None)  # without the plugin the class has no dtype argument
    dtypes = [value.dtypes for value in read(instance, platform) or ()]
    known = [each for each in dtypes[0] if issubclass(each, dt.Shaped)] if dtypes else []
    return Arrays(frozenset({library}), frozenset(known) or None)
