"""Recognise the types `int` and `bool`."""

from mypy.types import Instance, LiteralType, Type, get_proper_type


def is_int(typ: Type) -> bool:
    """Whether this is `int` or a literal int; not `bool`."""
    proper = get_proper_type(typ)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.int"


def is_bool(typ: Type) -> bool:
    """Whether this is `bool` or a literal bool."""
    proper = get_proper_type(typ)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.bool"
