"""mypy types to whether they are Python's integers or truth values."""

from mypy.types import Instance, LiteralType, Type, get_proper_type


def is_int(typ: Type) -> bool:
    """Whether this is `int`, or a literal one; not `bool`."""
    proper = get_proper_type(typ)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.int"


def is_bool(typ: Type) -> bool:
    """Whether this is `bool`, or a literal one."""
    proper = get_proper_type(typ)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.bool"
