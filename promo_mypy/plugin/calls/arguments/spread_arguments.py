"""Replace `*shape` in a call where the function itself takes any number of arguments: `torch.zeros(*shape, 1)`.

Then the rules read `f(*shape)` like `f(n)`. One item of unknown value stands for all of them: a rule that reads its
value finds it unknown, and most rules do not read it.
"""

from collections.abc import Sequence

from mypy.nodes import ARG_POS, ARG_STAR, TempNode
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature

with late():
    from promo_mypy.plugin.mypy_api.checker import call_checking


def with_items(
    row: Row, given: Sequence[Argument], receiver: Type | None, api: CheckerPluginInterface
) -> Sequence[Argument]:
    """The arguments, with an item in place of each `*args` that fills only `*args` of the function."""
    if not any(argument.kind is ARG_STAR for argument in given):
        return given
    positional = [parameter.several for parameter in signature(row.signature).parameters if parameter.positional]
    if not positional or not positional[-1]:
        return given
    before = len(positional) - 1 - (receiver is not None)
    written = [argument for argument in given if argument.keyword is None]
    if any(argument.kind is ARG_STAR for argument in written[: max(before, 0)]):
        return given
    return [_item(argument, api) if argument.kind is ARG_STAR else argument for argument in given]


def _item(argument: Argument, api: CheckerPluginInterface) -> Argument:
    item = call_checking.item_of(api, argument.type, argument.expression)
    typ = item if item is not None and _is_int(item) else AnyType(TypeOfAny.special_form)
    placeholder = TempNode(typ, context=argument.expression)
    return Argument(None, ARG_POS, placeholder, typ, is_spread=True, spread=argument.expression)


def _is_int(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.int"
