"""Infer `[[a], [b]]` with arrays of different dtypes as lists of arrays: mypy infers a list of objects.

mypy joins the items of a display. Arrays of JAX and PyTorch have a join of a wider dtype. Lists of them have no join,
as a list is mutable, nor do NumPy's arrays. With unknown dtypes they all have one.
"""

from collections.abc import Callable, Sequence, Set
from typing import Final

from mypy.join import join_type_list
from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    GeneratorExpr,
    ListComprehension,
    ListExpr,
    RefExpr,
    SetExpr,
    StarExpr,
    TupleExpr,
    Var,
)
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.trees.expressions import items_at
from promo_mypy.plugin.trees.rebindings import FileRebindings
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.plugin.types.container_types import holds_anything, holds_array, without_dtypes
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.walks import opened, parts_of

TypeOf = Callable[[Expression], Type | None]

_MAY_HIDE: Final = frozenset(
    {"builtins.list", "builtins.set", "builtins.dict", "builtins.tuple", "builtins.object", names.NUMPY_ARRAY}
)
_NOTHING: Final = frozenset({"builtins.object", names.NUMPY_COMMON})
#: These, and what mypy joins containers of several classes to.
JOINS: Final = _NOTHING | {"typing.Sequence", "typing.Collection", "typing.Reversible", "builtins.tuple"}


def joined(display: Expression, type_of: TypeOf) -> Type | None:
    """The type of a display, with unknown dtypes in its arrays; None if mypy's own type has the arrays."""
    typ = type_of(display)
    return _with_unknown_dtypes(display, typ, type_of) if typ is not None and hides(typ) else None


def joined_items(display: Expression, type_of: TypeOf) -> Type | None:
    """The type of the loop variable for a display; None if mypy's own type has the arrays."""
    whole = get_proper_type(joined(display, type_of))
    if isinstance(whole, Instance) and whole.args:
        return whole.args[0]
    return join_type_list(whole.items) if isinstance(whole, TupleType) else None


def joined_parts(display: Expression, path: Sequence[object], type_of: TypeOf) -> Type | None:
    """The type of a loop variable for parts of the items of a display; None if mypy's own type has the arrays."""
    return _join(_items(list(items_at(display, path)), type_of))


def joined_variable(variable: Var, bound: FileRebindings, type_of: TypeOf) -> Type | None:
    """The type of a display that the variable is bound to, or gets an item of; None to keep mypy's own type."""
    typ = get_proper_type(variable.type)
    # Most variables are numbers, or arrays of other libraries, which have no items to search.
    if (isinstance(typ, Instance) and typ.type.fullname not in _MAY_HIDE) or not hides(typ):
        return None
    known = bound()
    if variable in known.iterated:
        return joined_items(known.iterated[variable][0], type_of)
    if variable in known.parts:
        return joined_parts(*known.parts[variable][0], type_of)
    values = known.values.get(variable, ())
    if not values or typ is None:
        return None
    return joined(values[0], type_of) or joined_rest(typ, values[0], type_of)


def joined_with_any(display: Expression, stock: Type | None, type_of: TypeOf) -> Type | None:
    """The type of a display of containers with the items that stock mypy infers, if one of them is Any there.

    `stock`: the type of the display to stock mypy. It joins a list of Any and a list of anything to a list of Any.
    """
    typ, known = get_proper_type(type_of(display)), get_proper_type(stock)
    if not isinstance(typ, Instance) or not isinstance(known, Instance) or known.type is not typ.type:
        return None
    item = get_proper_type(known.args[-1]) if known.args else None
    return (
        typ.copy_modified(args=[*typ.args[:-1], item]) if isinstance(item, Instance) and holds_anything(item) else None
    )


def joined_rest(typ: Type, value: Expression, type_of: TypeOf) -> Type | None:
    """The type of xs in `x, *xs = a, b, c`; None if mypy's own type has the arrays."""
    proper = get_proper_type(typ)
    is_list = isinstance(proper, Instance) and proper.type.fullname == "builtins.list"
    items = _items(value.items, type_of) if isinstance(value, TupleExpr) and is_list else None
    return _of(proper, items) if isinstance(proper, Instance) else None


def hides(typ: Type | None) -> bool:
    """Whether a type has `object` in it, or the join of arrays and scalars: such a type hides arrays."""
    return typ is not None and _has(typ, _NOTHING)


def may_be_joined(typ: Type) -> bool:
    """Whether a type hides arrays, or has the join of several containers in it."""
    return _has(typ, JOINS)


def _has(typ: Type, joins: Set[str]) -> bool:
    """Whether a type is or has one of these classes, or is the dtype of an array of any scalars."""
    proper = opened(typ)
    is_join = isinstance(proper, Instance) and (proper.type.fullname in joins or _is_generic(proper))
    return is_join or any(_has(part, joins) for part in parts_of(proper))


def _is_generic(typ: Instance) -> bool:
    """Whether this is the dtype of an array of any scalars: the join of two kinds."""
    scalar = get_proper_type(typ.args[0]) if typ.type.fullname == names.NUMPY_DTYPE else None
    return isinstance(scalar, Instance) and scalar.type.fullname == names.NUMPY_GENERIC


def _with_unknown_dtypes(display: Expression, typ: Type, type_of: TypeOf) -> Type | None:
    proper = get_proper_type(typ)
    match display:
        case TupleExpr(items=items) if isinstance(proper, TupleType):
            known = _items(items, type_of)
            return None if known is None else proper.copy_modified(items=known)
        case ListExpr(items=items) | SetExpr(items=items) if isinstance(proper, Instance) and len(proper.args) == 1:
            return _of(proper, _items(items, type_of))
        case ListComprehension(generator=GeneratorExpr(left_expr=item)) if isinstance(proper, Instance):
            inside = type_of(item)
            found = _with_unknown_dtypes(item, inside, type_of) if inside is not None else None
            return proper.copy_modified(args=[found]) if found is not None else None
        case CallExpr(callee=RefExpr(fullname="builtins.dict"), args=values, arg_names=keys) if all(keys):
            return _of(proper, _items(values, type_of)) if isinstance(proper, Instance) else None
        case DictExpr(items=pairs) if isinstance(proper, Instance) and len(proper.args) == 2:
            values = [value for key, value in pairs if key is not None]
            return _of(proper, _items(values, type_of)) if len(values) == len(pairs) else None
        case _:
            return None


def _of(container: Instance, items: Sequence[Type] | None) -> Type | None:
    item = _join(items)
    return None if item is None else container.copy_modified(args=[*container.args[:-1], item])


def _join(items: Sequence[Type] | None) -> Type | None:
    """The join of the types of some items; None if it has no arrays."""
    item = join_type_list(items) if items else None
    if items and hides(item) and all(map(_is_numeric, items)) and any(map(is_scalar_type, items)):
        # Stock mypy, too, joins an array and a Python number to object. For most scalars it infers Any.
        return AnyType(TypeOfAny.implementation_artifact)
    return None if item is None or not holds_array(item) or hides(item) else item


def _is_numeric(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return library_of(proper) is not None or is_number(proper)


def _items(items: Sequence[Expression], type_of: TypeOf) -> list[Type] | None:
    known = []
    for item in items:
        typ = type_of(item)
        if typ is None or isinstance(item, StarExpr):
            return None
        known.append(_with_unknown_dtypes(item, typ, type_of) or without_dtypes(typ))
    return known
