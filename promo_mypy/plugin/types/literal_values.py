"""Read the value of a literal from its type."""

from mypy.types import Instance, LiteralType, Type, get_proper_type


def literal_value(typ: Type) -> object:
    """The value of `True`, `3` or `"text"`, written out or in a constant; None for any other type."""
    proper = get_proper_type(typ)
    known = proper.last_known_value if isinstance(proper, Instance) else proper
    return known.value if isinstance(known, LiteralType) else None
