"""A type to the types that a value of it may have."""

from collections.abc import Sequence

from mypy.types import ProperType, Type, UnionType, flatten_nested_unions, get_proper_type, get_proper_types


def members(typ: Type) -> Sequence[ProperType]:
    """The members of a union, of unions inside it, too; of any other type the type itself."""
    proper = get_proper_type(typ)
    return get_proper_types(flatten_nested_unions(proper.items)) if isinstance(proper, UnionType) else (proper,)
