"""Read the value of a literal, and of an option, from its type."""

from mypy.types import Instance, LiteralType, Type, get_proper_type


def literal_value(typ: Type) -> object:
    """The value of `True`, `3` or `"text"`, written out or in a constant; None for any other type."""
    proper = get_proper_type(typ)
    known = proper.last_known_value if isinstance(proper, Instance) else proper
    return known.value if isinstance(known, LiteralType) else None


def flag(option: Type | None) -> bool | None:
    """The value of an option that is off if it is not given; None if the value is unknown."""
    found = literal_value(option) if option is not None else False
    return found if isinstance(found, bool) else None
