"""`[[a], [b]]` of arrays of different dtypes to a type that keeps them arrays: to mypy it is a list of objects.

mypy joins the items of a display. Arrays of JAX and PyTorch have a join, of a wider dtype; lists of them have none, as
a list may be filled, nor have NumPy's. Without a known dtype in them they have one.
"""

from collections.abc import Callable, Sequence

from mypy.join import join_type_list
from mypy.nodes import DictExpr, Expression, ListExpr, SetExpr, StarExpr, TupleExpr
from mypy.types import Instance, TupleType, Type, UnionType, get_proper_type

from promo_mypy.plugin.container_types import holds_array, opened
from promo_mypy.plugin.recursive_aliases import is_recursive

TypeOf = Callable[[Expression], Type | None]


def joined(display: Expression, type_of: TypeOf) -> Type | None:
    """The type of a display with arrays of open dtype in it; None if mypy's own says what is in it."""
    typ = type_of(display)
    return _opened(display, typ, type_of) if typ is not None and hides(typ) else None


def joined_items(display: Expression, type_of: TypeOf) -> Type | None:
    """The type of what a loop over a display gets, likewise."""
    whole = get_proper_type(joined(display, type_of))
    if isinstance(whole, Instance) and whole.args:
        return whole.args[0]
    return join_type_list(whole.items) if isinstance(whole, TupleType) else None


def hides(typ: Type | None) -> bool:
    """Whether there is an object in a type, of which nothing is known."""
    if typ is None or is_recursive(typ):
        return False
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType | UnionType):
        return any(map(hides, proper.items))
    return isinstance(proper, Instance) and (proper.type.fullname == "builtins.object" or any(map(hides, proper.args)))


def _opened(display: Expression, typ: Type, type_of: TypeOf) -> Type | None:
    proper = get_proper_type(typ)
    match display:
        case TupleExpr(items=items) if isinstance(proper, TupleType):
            known = _items(items, type_of)
            return None if known is None else proper.copy_modified(items=known)
        case ListExpr(items=items) | SetExpr(items=items) if isinstance(proper, Instance) and len(proper.args) == 1:
            return _of(proper, _items(items, type_of))
        case DictExpr(items=pairs) if isinstance(proper, Instance) and len(proper.args) == 2:
            values = [value for key, value in pairs if key is not None]
            return _of(proper, _items(values, type_of)) if len(values) == len(pairs) else None
        case _:
            return None


def _of(container: Instance, items: Sequence[Type] | None) -> Type | None:
    item = join_type_list(items) if items else None
    if item is None or not holds_array(item) or hides(item):
        return None
    return container.copy_modified(args=[*container.args[:-1], item])


def _items(items: Sequence[Expression], type_of: TypeOf) -> list[Type] | None:
    known = []
    for item in items:
        typ = type_of(item)
        if typ is None or isinstance(item, StarExpr):
            return None
        known.append(_opened(item, typ, type_of) or opened(typ))
    return known
