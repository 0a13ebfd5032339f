"""How the small immutable classes are made of which every run of mypy imports a hundred.

mypy holds their instances to be frozen; at run time nothing forbids to change one. A dataclass that forbids it, and
whose comparison, hash and text are compiled one by one, takes four times as long to make (25 ms for all of them), and
three times as long for each instance.
"""

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[_Class]) -> type[_Class]:
    """A dataclass with slots that is compared and hashed by value, without the fields that are not to be compared."""
    made = rule(cls)
    compared = [found.name for found in fields(made) if found.compare]  # type: ignore[arg-type]  # it is a dataclass
    values = attrgetter("__class__", *compared)

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    made.__eq__ = equal  # type: ignore[method-assign]  # as a dataclass has it
    made.__hash__ = hashed  # type: ignore[method-assign]  # as a frozen dataclass has it
    return made


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def rule(cls: type[_Class]) -> type[_Class]:
    """A dataclass with slots whose instances are compared by identity."""
    made = dataclass(slots=True, eq=False, repr=False)(cls)
    made.__repr__ = _shown  # type: ignore[method-assign]  # one text for all of them
    return made


def _shown(self: Any) -> str:
    shown = ", ".join(f"{found.name}={getattr(self, found.name)!r}" for found in fields(self) if found.repr)
    return f"{type(self).__qualname__}({shown})"
