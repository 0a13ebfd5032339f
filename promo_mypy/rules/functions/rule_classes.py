"""How rule classes are made."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True)
def rule(cls: type[_Class]) -> type[_Class]:
    """A dataclass whose instances are compared by identity, and which mypy holds to be frozen.

    At run time nothing forbids to change one. A frozen dataclass with comparisons takes five times as long to make, and
    every run of mypy makes sixty of them: 25 ms.
    """
    return dataclass(slots=True, eq=False)(cls)
