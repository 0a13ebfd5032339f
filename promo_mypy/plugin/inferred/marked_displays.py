"""Give a display with a marked item the item type Any, as stock mypy does.

By their promotion, mypy would join a marked scalar and an int to int.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from mypy.erasetype import remove_instance_last_known_values
from mypy.nodes import DictExpr, Expression, ListExpr, SetExpr
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type, get_proper_types

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.libraries import BY_CLASS
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.recursive_aliases import is_recursive

_DISPLAYS = ListExpr | SetExpr | DictExpr
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
    if (
        isinstance(value, _DISPLAYS)
        and isinstance(proper, Instance)
        and (_is_marked(value, type_of) or (is_any is not None and any(map(is_any, _items(value)))))
    ):
        return _with_any(proper)
    # The type of a variable has no literals.
    displays = [remove_instance_last_known_values(each) for each in _marked_displays(value, type_of)]
    opened = {inner: _with_any(inner) for inner in get_proper_types(displays) if isinstance(inner, Instance)}
    return _replaced(typ, opened) if opened else typ


def may_have_display(typ: Type) -> bool:
    """Whether a value of the type may be or have a display."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        return bool(proper.args) and proper.type.fullname not in _ARRAYS
    return isinstance(proper, TupleType)


def _marked_displays(value: Expression, type_of: TypeOf) -> Iterator[Instance]:
    """The types of the displays inside a value that have a marked item."""
    for node in nodes(value):
        if isinstance(node, _DISPLAYS) and node is not value and _is_marked(node, type_of):
            # mypy declares a variable without the literals that it knows in the display.
            typ = type_of(node)
            typ = None if typ is None else get_proper_type(remove_instance_last_known_values(typ))
            if isinstance(typ, Instance) and typ.args:
                yield typ


def _is_marked(display: ListExpr | SetExpr | DictExpr, type_of: TypeOf) -> bool:
    items = _items(display)
    return len(items) > 1 and value_marks.are_marked(map(type_of, items))


def _items(display: ListExpr | SetExpr | DictExpr) -> list[Expression]:
    return [value for _, value in display.items] if isinstance(display, DictExpr) else display.items


def _with_any(display: Instance) -> Instance:
    return display.copy_modified(args=[*display.args[:-1], AnyType(TypeOfAny.implementation_artifact)])


def _replaced(typ: Type, opened: Mapping[Instance, Instance]) -> Type:
    """A type with other types in place of those of the displays in it."""
    if is_recursive(typ):
        return typ
    proper = get_proper_type(typ)
    match proper:
        case Instance() if proper in opened:
            return opened[proper]
        case Instance() if proper.args:
            return proper.copy_modified(args=[_replaced(each, opened) for each in proper.args])
        case TupleType():
            return proper.copy_modified(items=[_replaced(each, opened) for each in proper.items])
        case UnionType():
            return UnionType.make_union([_replaced(each, opened) for each in proper.items])
        case _:
            return typ
