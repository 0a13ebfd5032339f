"""Recognise an alias that contains itself (`Tree = dict[str, "Tree"]`)."""

from typing import TypeGuard

from mypy.types import Type, TypeAliasType


def is_recursive(typ: Type | None) -> TypeGuard[TypeAliasType]:
    """Whether an alias contains itself: a walk through such a type would not end."""
    return isinstance(typ, TypeAliasType) and typ.is_recursive
