"""Infer calls whose result keeps the dtype of one of its arrays, even if that is unknown or a type variable."""

from collections.abc import Iterator, Sequence

from mypy.types import Type

from promo_mypy.plugin.calls.fill import Receiver, receiver_of
from promo_mypy.plugin.libraries import BY_PACKAGE
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.rules.functions.exports import gives_numpy
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import Parameter, signature


def kept_array(row: Row, given: Sequence[Argument], receiver: Type | None) -> Receiver | None:
    """The array whose dtype the result has; None if the rules do not say so, or an array is of another library."""
    if gives_numpy(row.library, row.name):
        return None
    types = types_by_parameter(row, given, receiver)
    typ = types.get(row.rule.kept(types)) if types else None
    array = receiver_of(typ) if typ is not None else None
    return array if array is not None and array.library is BY_PACKAGE.get(row.library) else None


def types_by_parameter(row: Row, given: Sequence[Argument], receiver: Type | None) -> dict[str, Type]:
    """The type of the argument for each parameter, as in `by_parameter`."""
    found = by_parameter(row, given, receiver)
    types = {} if receiver is None or _is_starred(given) else {_places(row)[0].bound_as: receiver}
    return types | {name: argument.type for name, argument in found.items()}


def by_parameter(row: Row, given: Sequence[Argument], receiver: Type | None) -> dict[str, Argument]:
    """The argument for each parameter, by the rule's name for it; empty if the call has `*args` or `**kwargs`."""
    if _is_starred(given):
        return {}
    found = dict[str, Argument]()
    for parameter, argument in placed(row, given, receiver):
        found.setdefault(parameter.bound_as, argument)
    bound_as = {parameter.name: parameter.bound_as for parameter in signature(row.signature).parameters}
    return found | {bound_as.get(a.keyword, a.keyword): a for a in given if a.keyword is not None}


def placed(row: Row, given: Sequence[Argument], receiver: Type | None) -> Iterator[tuple[Parameter, Argument]]:
    """Each argument by position with its parameter. Of `*shape`, each argument is one for `shape`."""
    places = _places(row)
    if receiver is not None:
        places = [] if places[0].several else places[1:]
    for position, argument in enumerate(argument for argument in given if argument.keyword is None):
        several = [place for place in places[: position + 1] if place.several] or places[position : position + 1]
        yield from ((place, argument) for place in several[:1])


def _is_starred(given: Sequence[Argument]) -> bool:
    return any(argument.is_star for argument in given)


def _places(row: Row) -> list[Parameter]:
    return [parameter for parameter in signature(row.signature).parameters if parameter.positional]
