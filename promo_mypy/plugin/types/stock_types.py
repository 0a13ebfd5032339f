"""The type that stock mypy infers where the plugin infers another one: without marks and inferred dtypes.

A declared type has the dtypes that somebody wrote, so it is not asked here.
"""

from typing import Final

from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    flatten_nested_unions,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.walks import opened

_ANY: Final = AnyType(TypeOfAny.implementation_artifact)
#: A parameter that only the plugin gives a class. This Any does not make a call of an overloaded function ambiguous.
_OF_PARAMETER: Final = AnyType(TypeOfAny.special_form)
#: The plugin makes these.
_OURS: Final = (TypeOfAny.special_form, TypeOfAny.implementation_artifact)


def stock_type(typ: Type) -> Type:
    """The type of an inferred variable to stock mypy."""
    proper = opened(typ)
    match proper:
        case UnionType():
            return _of_union(proper)
        case TupleType():
            return proper.copy_modified(items=list(map(stock_type, proper.items)))
        case CallableType():
            return _of_function(proper)
        case Instance():
            return _of_instance(proper)
        case _:
            return typ


def _of_union(union: UnionType) -> Type:
    """A union without the Any that the plugin has added. With a member that is Any to stock mypy it is Any."""
    every = flatten_nested_unions(union.items)  # a member may be an alias that contains the union
    known = [each for each in every if not _is_any(each) or is_stock_any(each)] or every
    found = list(map(stock_type, known))
    if any(_is_any(stock) and not _is_any(ours) for stock, ours in zip(found, known, strict=True)):
        return UnionType.make_union([_ANY, *(each for each in known if isinstance(get_proper_type(each), NoneType))])
    return UnionType.make_union(found)


def _is_any(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), AnyType)


def _of_function(function: CallableType) -> Type:
    """A function. `jax.jit` and the like return an object with a signature that only the plugin knows."""
    made = function.fallback.type.fullname
    if made != "builtins.function" and not function.is_type_obj():  # that of a class is its metaclass
        return function.fallback if made == names.JAX_JIT_WRAPPED else _ANY
    result = stock_type(function.ret_type)
    return function.copy_modified(arg_types=[stock_type(each) for each in function.arg_types], ret_type=result)


def _of_instance(instance: Instance) -> Type:
    if instance.type.module_name == names.VALUE_MARKS:
        return _ANY
    library = library_of(instance)
    if library not in (None, Library.NUMPY):
        return instance.copy_modified(args=[_OF_PARAMETER for _ in instance.args])
    return instance.copy_modified(args=list(map(stock_type, instance.args))) if instance.args else instance


def is_stock_any(typ: Type) -> bool:
    """Whether mypy has inferred this Any, not the plugin."""
    proper = get_proper_type(typ)
    return isinstance(proper, AnyType) and (proper.source_any or proper).type_of_any not in _OURS
