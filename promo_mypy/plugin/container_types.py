"""Types to the arrays in them: in a list, a tuple, a dict or any other generic class, however deep."""

from collections.abc import Callable

from mypy.typeops import make_simplified_union
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.array_types import array_row, library_of
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.recursive_aliases import is_recursive


def holds_array(typ: Type) -> bool:
    """Whether a value of the type is or holds an array, of known dtype or not."""
    return any_array(typ, lambda _: True)


def any_array(typ: Type, accepts: Callable[[Instance], bool]) -> bool:
    """Whether any array in the type is accepted."""
    if is_recursive(typ):
        return False
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        if array_row(proper) is not None:
            return accepts(proper)
        return any(any_array(argument, accepts) for argument in proper.args)
    return isinstance(proper, UnionType | TupleType) and any(any_array(item, accepts) for item in proper.items)


def opened(typ: Type) -> Type:
    """The type with arrays of any dtype in the place of every array in it."""
    if is_recursive(typ):
        return typ
    proper = get_proper_type(typ)
    match proper:
        case UnionType():
            return make_simplified_union([opened(item) for item in proper.items])
        case TupleType():
            return proper.copy_modified(items=[opened(item) for item in proper.items])
        case Instance() if (library := library_of(proper)) is not None:
            return _opened_array(proper, library)
        case Instance():
            return proper.copy_modified(args=[opened(argument) for argument in proper.args])
        case _:
            return typ


def _opened_array(array: Instance, library: Library) -> Instance:
    any_type = AnyType(TypeOfAny.special_form)
    if library is not Library.NUMPY:
        # A subclass of an array class has no parameter of its own.
        return array.copy_modified(args=[any_type for _ in array.args])
    dtype = get_proper_type(array.args[1])
    if isinstance(dtype, Instance) and dtype.type.fullname == names.NUMPY_DTYPE:
        return array.copy_modified(args=[array.args[0], dtype.copy_modified(args=[any_type])])
    return array
