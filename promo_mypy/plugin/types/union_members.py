"""List the members of a union."""

from collections.abc import Sequence

from mypy.types import ProperType, Type, UnionType, flatten_nested_unions, get_proper_type, get_proper_types


def members(typ: Type) -> Sequence[ProperType]:
    """The members of a union, nested unions included. For any other type: the type itself."""
    proper = get_proper_type(typ)
    return get_proper_types(flatten_nested_unions(proper.items)) if isinstance(proper, UnionType) else (proper,)
