"""Give a display with a marked item the item type Any, as stock mypy does.

By their promotion, mypy would join a marked scalar and an int to int. In a display of tuples, only the parts at the
place of a mark are Any: `[("a", x.sum()), ("b", 1)]`. Arrays of several dtypes, one of them inferred, have an unknown
dtype: mypy would join the dtypes to their category.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from mypy.erasetype import remove_instance_last_known_values
from mypy.nodes import CallExpr, DictExpr, Expression, ListExpr, Node, RefExpr, SetExpr, TupleExpr
from mypy.subtypes import is_same_type
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.libraries import BY_CLASS
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types import container_types, numpy_scalars, untyped_functions, value_marks
from promo_mypy.plugin.types.recursive_aliases import is_recursive

#: Displays of mutable containers.
Display = ListExpr | SetExpr | DictExpr
_ARRAYS: Final = names.NUMPY_ARRAYS | frozenset(BY_CLASS)


#: Built-ins with the items of their argument.
_SAME_ITEMS: Final = frozenset(f"builtins.{name}" for name in ("iter", "list", "reversed", "set", "sorted", "tuple"))


def with_any_items(
    typ: Type, value: Expression | None, type_of: TypeOf, is_any: Callable[[Expression], bool] | None = None
) -> Type:
    """The type of a value with displays. If an item, or a value of a dict, is marked, the item type is Any.

    `is_any`: whether stock mypy infers Any for an item without a mark; None where that does not matter.
    """
    proper = get_proper_type(typ)
    if value is None or not may_have_display(typ):
        return typ
    if _is_display(value) and isinstance(proper, Instance):
        marks = _marks(value, type_of)
        if marks or (is_any is not None and any(map(is_any, _items(value)))):
            return _with_any(proper, marks or True)
        if _are_of_several_dtypes(list(map(type_of, _items(value)))):
            return proper.copy_modified(args=[*proper.args[:-1], container_types.without_dtypes(proper.args[-1])])
    if isinstance(value, TupleExpr) and isinstance(proper, Instance):  # xs in `x, *xs = a, b, c`
        return _rest(proper, list(map(type_of, value.items)))
    # The type of a variable has no literals.
    widened = {inner: _with_any(inner, marks) for inner, marks in _marked_displays(value, type_of)}
    return _replaced(typ, widened) if widened else typ


def _rest(container: Instance, items: Sequence[Type | None]) -> Instance:
    """The list of some of the items: of unknown dtypes if they are arrays of several, Any if one is a marked scalar."""
    if value_marks.is_any_marked(items):
        return _with_any(container, marks=True)
    arrays = [item for item in items if numpy_scalars.scalar_of_array(item) is not None]
    if not _are_of_several_dtypes(arrays):
        return container
    return container.copy_modified(args=[container_types.without_dtypes(container.args[0])])


def part_is_any(iterable: Expression, path: Sequence[object], type_of: TypeOf) -> bool:
    """Whether a part of the items of a display is Any: y in `for x, y in [("a", v.sum()), ("b", 1)]`.

    The display may be an argument of a built-in that iterates over it: y in `for i, y in enumerate([v.sum(), 1])`.
    """
    match iterable:
        case CallExpr(callee=RefExpr(fullname="builtins.enumerate"), args=[inner, *_]):
            return path[:1] == (1,) and part_is_any(inner, path[1:], type_of)
        case CallExpr(callee=RefExpr(fullname="builtins.zip"), args=inners):
            place = path[0] if path else None
            if not isinstance(place, int) or place >= len(inners):
                return False
            return part_is_any(inners[place], path[1:], type_of)
        case CallExpr(callee=RefExpr(fullname=name), args=[inner]) if name in _SAME_ITEMS:
            return part_is_any(inner, path, type_of)
    items = iterable.items if isinstance(iterable, ListExpr | SetExpr | TupleExpr) else []
    marks = _marks_of(items, type_of) if len(items) > 1 else False
    for place in path:
        marks = marks[place] if isinstance(marks, tuple) and isinstance(place, int) and place < len(marks) else False
    return marks is True


def may_have_display(typ: Type) -> bool:
    """Whether a value of the type may be or have a display."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        return bool(proper.args) and proper.type.fullname not in _ARRAYS
    return isinstance(proper, TupleType)


def _marked_displays(value: Expression, type_of: TypeOf) -> Iterator[tuple[Instance, "_Marks"]]:
    """The types of the displays inside a value that have marked items, and where."""
    for node in nodes(value):
        if isinstance(node, Expression) and node is not value and (marks := _marks(node, type_of)):
            # mypy declares a variable without the literals that it knows in the display.
            typ = type_of(node)
            typ = None if typ is None else get_proper_type(remove_instance_last_known_values(typ))
            if isinstance(typ, Instance) and typ.args:
                yield typ, marks


def is_of_several_dtypes(value: Node, type_of: TypeOf) -> bool:
    """Whether this is a display of NumPy arrays of several dtypes, one of which is inferred."""
    items = value.items if isinstance(value, TupleExpr) else _items(value) if isinstance(value, Expression) else []
    return len(items) > 1 and _are_of_several_dtypes(list(map(type_of, items)))


def _are_of_several_dtypes(items: Sequence[Type | None]) -> bool:
    """Whether these are NumPy arrays of several dtypes, one of which is inferred."""
    scalars = [numpy_scalars.scalar_of_array(item) for item in items]
    known = [value_marks.unmarked(scalar) for scalar in scalars if scalar is not None]
    if len(known) < len(items) or not any(map(value_marks.is_marked, scalars)):
        return False
    return any(not is_same_type(known[0], other) for other in known)


#: Whether the items are marked; for tuples, whether each part is.
_Marks = bool | tuple["_Marks", ...]


def _marks(display: Expression, type_of: TypeOf) -> _Marks:
    items = _items(display)
    return _marks_of(items, type_of) if len(items) > 1 else False


def _marks_of(items: Sequence[Expression], type_of: TypeOf) -> _Marks:
    tuples = [item.items for item in items if isinstance(item, TupleExpr)]
    if not tuples or len(tuples) < len(items) or len(set(map(len, tuples))) > 1:
        types = list(map(type_of, items))
        return value_marks.is_any_marked(types) or untyped_functions.is_among(types)
    parts = tuple(_marks_of(part, type_of) for part in zip(*tuples, strict=True))
    return parts if any(parts) else False


def _is_display(value: Expression) -> bool:
    """Whether this is a display, or `dict(a=x, b=y)`."""
    return bool(_items(value))


def _items(display: Expression) -> list[Expression]:
    """The items of a list or set, or the values of a dict; none of any other expression."""
    match display:
        case DictExpr(items=pairs):
            return [value for _, value in pairs]
        case ListExpr(items=items) | SetExpr(items=items):
            return items
        case CallExpr(callee=RefExpr(fullname="builtins.dict"), args=values, arg_names=keys) if all(keys):
            return values
        case _:
            return []


def _with_any(display: Instance, marks: _Marks) -> Instance:
    return display.copy_modified(args=[*display.args[:-1], _with_any_parts(display.args[-1], marks)])


def _with_any_parts(item: Type, marks: _Marks) -> Type:
    proper = get_proper_type(item)
    if not marks:
        return item
    if isinstance(marks, tuple) and isinstance(proper, TupleType) and len(marks) == len(proper.items):
        return proper.copy_modified(items=list(map(_with_any_parts, proper.items, marks)))
    return AnyType(TypeOfAny.implementation_artifact)


def _replaced(typ: Type, widened: Mapping[Instance, Instance]) -> Type:
    """A type with other types in place of those of the displays in it."""
    if is_recursive(typ):
        return typ
    proper = get_proper_type(typ)
    match proper:
        case Instance() if proper in widened:
            return widened[proper]
        case Instance() if proper.args:
            return proper.copy_modified(args=[_replaced(each, widened) for each in proper.args])
        case TupleType():
            return proper.copy_modified(items=[_replaced(each, widened) for each in proper.items])
        case UnionType():
            return UnionType.make_union([_replaced(each, widened) for each in proper.items])
        case _:
            return typ
