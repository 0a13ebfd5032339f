"""Give a display with a marked item the item type Any, as stock mypy does.

mypy would join a marked array and a text to a Collection. In a display of tuples or of displays, only the parts at the
place of a mark are Any: `[("a", x.sum()), ("b", 1)]`, `[[x.sum()], ["b"]]`. Arrays of several dtypes, one of them
inferred, have an unknown dtype: mypy would join the dtypes to their category.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from mypy.erasetype import remove_instance_last_known_values
from mypy.join import join_type_list
from mypy.nodes import CallExpr, DictExpr, Expression, ListExpr, Node, RefExpr, SetExpr, StarExpr, TupleExpr
from mypy.subtypes import is_same_type
from mypy.types import AnyType, Instance, ProperType, TupleType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import JOINS, TypeOf
from promo_mypy.plugin.libraries import BY_CLASS
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types import container_types, numpy_scalars, untyped_functions, value_marks
from promo_mypy.plugin.types.walks import opened, with_parts

_ANY: Final = AnyType(TypeOfAny.implementation_artifact)
_ARRAYS: Final = names.NUMPY_ARRAYS | frozenset(BY_CLASS)


def with_any_items(
    typ: Type, value: Expression | None, type_of: TypeOf, is_any: Callable[[Expression], bool] | None = None
) -> Type:
    """The type of a value with displays. If an item, or a value of a dict, is marked, the item type is Any.

    `is_any`: whether stock mypy infers Any for an item without a mark; None where that does not matter.
    """
    proper = get_proper_type(typ)
    if value is None or not may_have_display(typ):
        return typ
    items = _items(value)
    if items and isinstance(proper, Instance):
        item = _any_item(items, type_of)
        if item is None and is_any is not None and any(map(is_any, items)):
            item = _ANY
        if item is not None:
            return _of(proper, item)
    unknown = with_unknown_dtypes(typ, value, type_of)
    return unknown if unknown is not typ else _replaced(typ, dict(_widened(value, type_of)))


def with_unknown_dtypes(typ: Type, value: Expression | None, type_of: TypeOf) -> Type:
    """The type of a display of arrays of several dtypes, one of them inferred: its items have an unknown dtype."""
    proper = get_proper_type(typ)
    if value is None or not isinstance(proper, Instance) or not may_have_display(typ):
        return typ
    if isinstance(value, TupleExpr):  # xs in `x, *xs = a, b, c`
        return _rest(proper, list(map(type_of, value.items)))
    if _are_of_several_dtypes(list(map(type_of, _items(value)))):
        return _of(proper, container_types.without_dtypes(proper.args[-1]))
    return typ


def _rest(container: Instance, items: Sequence[Type | None]) -> Instance:
    """The list of some of the items: of unknown dtypes if they are arrays of several, Any if one is a marked scalar."""
    if value_marks.is_any_marked(items):
        return _of(container, _ANY)
    arrays = [item for item in items if numpy_scalars.scalar_of_array(item) is not None]
    if not _are_of_several_dtypes(arrays):
        return container
    return _of(container, container_types.without_dtypes(container.args[0]))


def may_have_display(typ: Type) -> bool:
    """Whether a value of the type may be or have a display."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        return bool(proper.args) and proper.type.fullname not in _ARRAYS
    return isinstance(proper, TupleType)


def _widened(value: Expression, type_of: TypeOf) -> Iterator[tuple[Instance, Type]]:
    """The types of the displays inside a value that have marked items, and what mypy joins such items to; and in the
    place of each what stock mypy infers.
    """
    for node in nodes(value):
        items = _items_of_any_display(node)
        item = _any_item(items, type_of)
        if item is None or not isinstance(node, Expression) or node is value:
            continue
        # mypy declares a variable without the literals that it knows in the display.
        whole = _joined([node], type_of)
        if isinstance(whole, Instance) and whole.args:
            yield whole, _of(whole, item)
        joined = _joined(items, type_of)
        if isinstance(joined, Instance) and (joined.type.fullname in JOINS or value_marks.is_marked(joined)):
            yield joined, item


def _items_of_any_display(value: Node) -> list[Expression]:
    if isinstance(value, TupleExpr):
        return _flat(value.items)
    return _items(value) if isinstance(value, Expression) else []


def _are_of_several_dtypes(items: Sequence[Type | None]) -> bool:
    """Whether these are NumPy arrays of several dtypes, one of which is inferred."""
    scalars = [numpy_scalars.scalar_of_array(item) for item in items]
    known = [value_marks.unmarked(scalar) for scalar in scalars if scalar is not None]
    if len(known) < len(items) or not any(map(value_marks.is_marked, scalars)):
        return False
    return any(not is_same_type(known[0], other) for other in known)


def _any_item(items: Sequence[Expression], type_of: TypeOf) -> Type | None:
    """The type that stock mypy infers for the items of a display if a mark makes it Any, or a part of it; else None."""
    if len(items) < 2:
        return None
    types = list(map(type_of, items))
    if value_marks.is_any_marked(types) or untyped_functions.is_among(types):
        return _ANY
    tuples = [item.items for item in items if isinstance(item, TupleExpr)]
    if len(tuples) == len(items) and len(set(map(len, tuples))) == 1:
        return _any_tuple(list(zip(*tuples, strict=True)), types[0], type_of)
    whole = get_proper_type(types[0])
    inner = list(chain.from_iterable(map(_items, items)))
    if not inner or not isinstance(whole, Instance) or len(set(map(type, items))) > 1:
        return None
    item = _any_item(inner, type_of)
    return None if item is None else _of(whole, item)


def _any_tuple(parts: Sequence[Sequence[Expression]], first: Type | None, type_of: TypeOf) -> Type | None:
    """The type of tuples with these parts if a mark makes one of them Any, or a part of it; else None."""
    found = [_any_item(part, type_of) for part in parts]
    whole = get_proper_type(first)
    if not any(found) or not isinstance(whole, TupleType) or len(whole.items) != len(parts):
        return None
    pairs = zip(found, parts, strict=True)
    return whole.copy_modified(items=[_joined(part, type_of) if item is None else item for item, part in pairs])


def _joined(items: Sequence[Expression], type_of: TypeOf) -> ProperType:
    """What mypy infers for several items, without the literals that it knows."""
    types = [typ for typ in map(type_of, items) if typ is not None]
    return get_proper_type(remove_instance_last_known_values(join_type_list(types)))


def _items(display: Expression) -> list[Expression]:
    """The items of a list or set, or the values of a dict or of `dict(a=x, b=y)`; none of any other expression."""
    match display:
        case DictExpr(items=pairs):
            return list(chain.from_iterable([value] if key is not None else _items(value) for key, value in pairs))
        case ListExpr(items=items) | SetExpr(items=items):
            return _flat(items)
        case CallExpr(callee=RefExpr(fullname="builtins.dict"), args=values, arg_names=keys) if all(keys):
            return values
        case _:
            return []


def _flat(items: Sequence[Expression]) -> list[Expression]:
    """Some items, with those of each display that has a star."""
    return list(chain.from_iterable(map(_unpacked, items)))


def _unpacked(item: Expression) -> list[Expression]:
    match item:
        case StarExpr(expr=ListExpr(items=items) | SetExpr(items=items) | TupleExpr(items=items)):
            return _flat(items)
        case _:
            return [item]


def _of(display: Instance, item: Type) -> Instance:
    """The type of a display with other items."""
    return display.copy_modified(args=[*display.args[:-1], item])


def _replaced(typ: Type, widened: Mapping[Instance, Type]) -> Type:
    """A type with other types in place of those of the displays in it."""
    if not widened:
        return typ
    proper = opened(typ)
    if isinstance(proper, Instance) and proper in widened:
        return widened[proper]
    return with_parts(typ, lambda part: _replaced(part, widened))
