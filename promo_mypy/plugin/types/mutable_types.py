"""Find out whether arrays or NumPy scalars may be added to a container through a parameter of some type.

Only the type of the parameter decides: a function from mypy's cache has no body.
"""

from collections.abc import Sequence

from mypy.types import AnyType, Instance, PartialType, TupleType, Type, TypeVarType, UnionType, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.libraries import BY_CLASS, Library
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.walks import Endless, opened


def may_fill(typ: Type | None) -> bool:
    """Whether a function may add arrays of another dtype to an argument of this type; None: unannotated.

    It may not if the type names the dtype, as no other dtype fits, or if the type has no method for it, like `Sequence`
    and `object`. A type variable has only the methods of its bound.
    """
    if typ is None:
        return True
    match opened(typ):
        case AnyType() | Endless():
            return True
        case UnionType(items=items) | TupleType(items=items):
            return any(map(may_fill, items))
        case TypeVarType(upper_bound=bound):
            return may_fill(bound)
        case Instance(type=info, args=args):
            if info.is_protocol and not info.fullname.startswith("typing."):
                return not containers.FILLING.isdisjoint(info.protocol_members)
            if info.fullname in containers.MUTABLE:
                return any(map(_accepts_several_dtypes, args))
            return any(may_fill(each) for each in args if not isinstance(get_proper_type(each), AnyType))
        case _:
            return False


def may_hold(typ: Type | None) -> bool:
    """Whether a value of a type may hold mutable containers of arrays or scalars; None: unknown type."""
    if typ is None:
        return True
    match opened(typ):
        case AnyType() | PartialType() | Endless():
            return True
        case UnionType(items=items) | TupleType(items=items):
            return any(map(may_hold, items))
        case Instance(type=info, args=args) as instance:
            if not args:
                return info.fullname == "builtins.object"
            return library_of(instance) is None and (depth(typ) > 0 or any(map(may_hold, args)))
        case _:
            return False


def _accepts_several_dtypes(typ: Type) -> bool:
    """Whether arrays of several dtypes fit the type, or of a dtype that another argument determines."""
    match opened(typ):
        case AnyType() | TypeVarType() | Endless():
            return True
        case UnionType(items=items) | TupleType(items=items):
            return any(map(_accepts_several_dtypes, items))
        case Instance(args=args) as instance:
            library = library_of(instance)
            if library is None:
                return any(map(_accepts_several_dtypes, args))
            # The other type arguments are shape and rank. A subclass of an array class has none.
            return not args or _accepts_several_dtypes(args[1 if library is Library.NUMPY else 0])
        case _:
            return False


def depth(typ: Type | None) -> int:
    """The number of container levels above the arrays and NumPy scalars in a type; 0 if none of them is mutable."""
    levels, is_filled = (_levels(typ) if typ is not None else None) or (0, False)
    return levels if is_filled else 0


def _levels(typ: Type) -> tuple[int, bool] | None:
    """The levels above the arrays and scalars in a type, and whether any is mutable; None if it has neither."""
    match opened(typ):
        case UnionType(items=items):
            return _deepest(items)
        case TupleType(items=items):
            return _above(items, is_filled=False)
        case Instance(type=info) if info.fullname in BY_CLASS:
            return 0, False
        case Instance() as scalar if numpy_scalars.is_scalar(scalar):
            return 0, False
        case Instance(type=info, args=args) as instance:
            levels = _above(args, is_filled=info.fullname in containers.MUTABLE)
            # A subclass of an array class may have type arguments, too.
            return levels or ((0, False) if library_of(instance) is not None else None)
        case _:
            return None


def _above(items: Sequence[Type], *, is_filled: bool) -> tuple[int, bool] | None:
    found = _deepest(items)
    return None if found is None else (found[0] + 1, found[1] or is_filled)


def _deepest(items: Sequence[Type]) -> tuple[int, bool] | None:
    found = [levels for levels in map(_levels, items) if levels is not None]
    return (max(levels for levels, _ in found), any(is_filled for _, is_filled in found)) if found else None
