"""Take a type apart. Every walk over types goes through here, and so it ends.

An alias that contains itself (`Tree = dict[str, "Tree"]`) has no parts. Nothing here looks into fields or bounds.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeGuard, overload

from mypy.types import (
    ErasedType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    UnionType,
    flatten_nested_unions,
    get_proper_type,
    get_proper_types,
)

#: What stands for an alias that contains itself: a class that no inferred or declared type has.
Endless: TypeAlias = ErasedType
_ENDLESS: Final = ErasedType()


def contains_itself(typ: Type | None) -> TypeGuard[TypeAliasType]:
    """Whether this is an alias that contains itself, so that a walk through all types in it would not end."""
    return isinstance(typ, TypeAliasType) and typ.is_recursive


@overload
def opened(typ: None) -> None: ...


@overload
def opened(typ: Type) -> ProperType: ...


def opened(typ: Type | None) -> ProperType | None:
    """The type that an alias stands for; `Endless` if the alias contains itself. Any other type as it is."""
    return _ENDLESS if contains_itself(typ) else get_proper_type(typ)


def parts_of(typ: Type) -> Sequence[Type]:
    """The members of a union, the items of a tuple, or the type arguments of a class."""
    proper = opened(typ)
    if isinstance(proper, Instance):  # most of them
        return proper.args
    return proper.items if isinstance(proper, UnionType | TupleType) else ()


def items_of(typ: Type) -> Sequence[Type]:
    """The members of a union, or the items of a tuple."""
    proper = opened(typ)
    return proper.items if isinstance(proper, UnionType | TupleType) else ()


def members(typ: Type) -> Sequence[ProperType]:
    """The members of a union, nested unions included; for any other type, the type itself.

    An alias that contains itself is opened here: a walk looks at its members with `opened`.
    """
    proper = get_proper_type(typ)
    return get_proper_types(flatten_nested_unions(proper.items)) if isinstance(proper, UnionType) else (proper,)


def with_parts(typ: Type, changed: Callable[[Type], Type]) -> Type:
    """The type with each of its parts (`parts_of`) changed. The same object if none changes."""
    proper = opened(typ)
    before = parts_of(proper)
    after = list(map(changed, before))
    if all(one is other for one, other in zip(before, after, strict=True)):
        return typ
    if isinstance(proper, Instance):
        return proper.copy_modified(args=after)
    return proper.copy_modified(items=after) if isinstance(proper, TupleType) else UnionType.make_union(after)


def with_items(typ: Type, changed: Callable[[Type], Type]) -> Type:
    """The type with each of its items (`items_of`) changed. The same object if none changes."""
    return typ if isinstance(opened(typ), Instance) else with_parts(typ, changed)
