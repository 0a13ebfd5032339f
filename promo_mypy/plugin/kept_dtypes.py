"""A call whose result keeps the dtype of one of its arrays, whatever that is: a type variable, or not known."""

from collections.abc import Sequence

from mypy.types import Type

from promo_mypy.plugin.arguments import Argument
from promo_mypy.plugin.libraries import BY_PACKAGE
from promo_mypy.plugin.results import Receiver, receiver_of
from promo_mypy.rules.functions.rows import Row
from promo_mypy.rules.functions.signatures import signature


def kept_array(row: Row, given: Sequence[Argument], receiver: Type | None) -> Receiver | None:
    """The array that lends the result its dtype; None if the rules do not say so, or it is not the library's."""
    types = types_by_parameter(row, given, receiver)
    typ = types.get(row.rule.kept(types)) if types else None
    array = receiver_of(typ) if typ is not None else None
    return array if array is not None and array.library is BY_PACKAGE.get(row.library) else None


def types_by_parameter(row: Row, given: Sequence[Argument], receiver: Type | None) -> dict[str, Type]:
    """What is given for each parameter, by the name that the rule has for it; nothing where that is not plain."""
    if any(argument.is_star for argument in given):
        return {}
    parameters = signature(row.signature).parameters
    positional = [] if receiver is None else [receiver]
    positional += [argument.type for argument in given if argument.keyword is None]
    types = {}
    places = [parameter for parameter in parameters if parameter.positional]
    for parameter, typ in zip(places, positional, strict=False):
        types[parameter.bound_as] = typ
        if parameter.several:
            break
    bound_as = {parameter.name: parameter.bound_as for parameter in parameters}
    types |= {bound_as.get(a.keyword, a.keyword): a.type for a in given if a.keyword is not None}
    return types
