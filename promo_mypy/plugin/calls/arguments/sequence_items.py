"""Infer the items of a list or tuple of unknown length.

mypy infers `[f(x) for x in xs]` and `list(xs)` in the context of the parameter's type, which has no dtypes. The types
of the items themselves have them.
"""

from typing import Final

from mypy.nodes import CallExpr, Expression, GeneratorExpr, ListComprehension, RefExpr, StarExpr, TempNode
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type
from promo_mypy.rules.records import record

with late():
    from promo_mypy.plugin.mypy_api.checker import call_checking

_MAKING: Final = frozenset({"builtins.list", "builtins.tuple"})


@record
class Item:
    """The type and the expression of every item. An item that is not in the source has a placeholder expression."""

    expression: Expression
    type: Type


def item_of_sequence(expression: Expression, api: CheckerPluginInterface) -> Item | None:
    """An item of a comprehension, or of a call of `list` or `tuple`; None for any other expression."""
    match expression:
        case ListComprehension(generator=generator):
            return _item(generator, api)
        case CallExpr(callee=RefExpr(fullname=name), args=[given]) if name in _MAKING:
            return _item(given, api)
        case _:
            return None


def item_of_display(item: Expression, api: CheckerPluginInterface) -> Item | None:
    """An item of a display; for `*xs` an item of `xs`. None if unknown."""
    return _item(item.expr, api) if isinstance(item, StarExpr) else _known(item, api)


def _item(iterable: Expression, api: CheckerPluginInterface) -> Item | None:
    if isinstance(iterable, GeneratorExpr):
        return _known(iterable.left_expr, api)
    whole = _known(iterable, api)
    found = call_checking.item_of(api, whole.type, iterable) if whole is not None else None
    return Item(TempNode(found, context=iterable), found) if found is not None else None


def _known(item: Expression, api: CheckerPluginInterface) -> Item | None:
    typ = expression_type(checker(api), item)
    return Item(item, typ) if typ is not None else None
