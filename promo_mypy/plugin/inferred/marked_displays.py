"""Give a display with a marked item the item type Any, as stock mypy does.

By their promotion, mypy would join a marked scalar and an int to int.
"""

from mypy.nodes import DictExpr, Expression, ListExpr, SetExpr
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.types import value_marks


def with_any_items(typ: Type, display: Expression | None, type_of: TypeOf) -> Type:
    """The type of a display. If an item, or a value of a dict, is marked, the item type is Any."""
    proper = get_proper_type(typ)
    if not isinstance(display, ListExpr | SetExpr | DictExpr) or not isinstance(proper, Instance) or not proper.args:
        return typ
    items = [value for _, value in display.items] if isinstance(display, DictExpr) else display.items
    if not value_marks.are_marked(map(type_of, items)):
        return typ
    return proper.copy_modified(args=[*proper.args[:-1], AnyType(TypeOfAny.special_form)])
