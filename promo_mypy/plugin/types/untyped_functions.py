"""The type of a function that its library declares without a type: Any to stock mypy, a signature of Any to the plugin.

See `mypy_api/modules/untyped_functions`. The plugin needs the signature where the function is called. As a value it
is Any: in a variable, a display, a tuple or a union. (tests/plugin/inferred/provenance/values_of_any)
"""

from collections.abc import Iterable
from typing import Final

from mypy.nodes import ARG_STAR, ARG_STAR2
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.types.walks import with_parts

_KINDS: Final = [ARG_STAR, ARG_STAR2]


def is_among(types: Iterable[Type | None]) -> bool:
    """Whether one of some types is such a signature."""
    return any(map(_is_untyped, types))


def with_any(typ: Type) -> Type:
    """The type with Any in place of each such signature."""
    proper = get_proper_type(typ)
    if isinstance(proper, CallableType):
        return AnyType(TypeOfAny.implementation_artifact) if _is_untyped(proper) else typ
    return with_parts(typ, with_any)


def _is_untyped(typ: Type | None) -> bool:
    if type(typ) is Instance:  # most of them
        return False
    proper = get_proper_type(typ)
    if not isinstance(proper, CallableType) or proper.arg_kinds != _KINDS or proper.arg_names != [None, None]:
        return False
    if proper.is_ellipsis_args:  # somebody wrote `Callable[..., Any]`
        return False
    return isinstance(get_proper_type(proper.ret_type), AnyType)
