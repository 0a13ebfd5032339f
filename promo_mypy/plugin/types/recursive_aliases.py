"""A type to whether it is an alias that contains itself (`Tree = dict[str, "Tree"]`)."""

from typing import TypeGuard

from mypy.types import Type, TypeAliasType


def is_recursive(typ: Type) -> TypeGuard[TypeAliasType]:
    """Whether an alias contains itself: who takes such a type apart does not come to an end."""
    return isinstance(typ, TypeAliasType) and typ.is_recursive
