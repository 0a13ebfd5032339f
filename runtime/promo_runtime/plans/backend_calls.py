"""Call a backend's function with the arguments of a call, converted."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from operator import attrgetter
from typing import Any, Final

from promo_runtime.plans.elementwise_plans import Plan
from promo_runtime.plans.numpy_numbers import Convert

#: The data of an `Array`.
DATA: Final = attrgetter("_data")


@dataclass(frozen=True, slots=True)
class _Source:
    """The source of an argument of the backend's function."""

    given: int | str | None
    """Position or keyword in the call; None for a constant."""
    convert: Convert | None = None
    constant: Any = None

    def value(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """The argument."""
        if self.given is None:
            return self.constant
        found = arguments[self.given] if isinstance(self.given, int) else keywords[self.given]
        return found if self.convert is None else self.convert(found)


def backend_call(
    function: Callable[..., Any],
    signature: inspect.Signature,
    bound: Mapping[str, Any],
    given: tuple[tuple[Any, ...], Mapping[str, Any]],
    casts: Mapping[str, Any],
    carried: Any,
    defaults: Mapping[str, Any],
) -> Plan:
    """The call of a backend's function for calls with arguments like `given`, which `signature` has bound to `bound`.

    `casts`: the conversions of the arguments by parameter. `carried`: the dtype argument of the function, if it has
    one; the result is cast to the dtype that the call names. `defaults`: those of the function.
    """
    positional, named = _sources(signature, bound, given, casts, carried, defaults)
    return _run(function, positional, named, given[1], defaults)


def _sources(
    signature: inspect.Signature,
    bound: Mapping[str, Any],
    given: tuple[tuple[Any, ...], Mapping[str, Any]],
    casts: Mapping[str, Any],
    carried: Any,
    defaults: Mapping[str, Any],
) -> tuple[list[_Source], dict[str, _Source]]:
    """The sources of the positional and keyword arguments of the backend's function.

    A parameter that is None stands for the default of the backend's function.
    """
    arguments, keywords = given
    ordered = [name for name, each in signature.parameters.items() if each.kind is not each.KEYWORD_ONLY]
    by_name = all(name in defaults for name in ordered[len(arguments) :])
    positional: list[_Source] = []
    named: dict[str, _Source] = {}
    for name, parameter in signature.parameters.items():
        place, source = len(positional), _Source(name if name in keywords else None, casts.get(name), bound[name])
        if parameter.kind is parameter.VAR_POSITIONAL:
            several = casts[name].args[0] if name in casts else ()
            positional += [_Source(place + at, cast) for at, cast in enumerate(several)]
        elif place < len(arguments) and parameter.kind is not parameter.KEYWORD_ONLY:
            positional.append(_Source(place, source.convert))
        elif parameter.kind is not parameter.KEYWORD_ONLY and not by_name:
            positional.append(source)
        elif name == "dtype":
            if carried is not None:
                named[name] = _Source(None, None, carried)
        elif bound[name] is not None or (name in keywords and defaults.get(name, name) is None):
            named[name] = source
    return positional, named


def _run(
    function: Callable[..., Any],
    positional: list[_Source],
    named: dict[str, _Source],
    keywords: Mapping[str, Any],
    defaults: Mapping[str, Any],
) -> Plan:
    """Call the function with the converted arguments. Most calls need no conversion."""
    added = {
        name: each.constant
        for name, each in named.items()
        if each.given is None and (name not in defaults or defaults[name] is not each.constant)
    }
    taken = {name: each.convert for name, each in named.items() if each.given is not None}
    places = [each.given for each in positional]
    casts = [each.convert for each in positional]
    left_out = keywords.keys() - taken.keys()
    if places != list(range(len(places))) or left_out - {"dtype"} or any((*casts[1:], *taken.values())):
        return _rearranged(function, positional, {name: named[name] for name in (*taken, *added)})
    call = partial(function, **added) if added else function
    if left_out:
        call = _without_dtype(call)
    convert = casts[0]
    if convert is None:
        return call
    if convert is DATA:
        return lambda array, *arguments, **options: call(array._data, *arguments, **options)
    return lambda array, *arguments, **options: call(convert(array), *arguments, **options)


def _without_dtype(call: Plan) -> Plan:
    return lambda *arguments, dtype, **options: call(*arguments, **options)  # noqa: ARG005 (the result is cast to it)


def _rearranged(function: Callable[..., Any], positional: list[_Source], named: dict[str, _Source]) -> Plan:
    def run(*arguments: Any, **keywords: Any) -> Any:
        return function(
            *[source.value(arguments, keywords) for source in positional],
            **{name: source.value(arguments, keywords) for name, source in named.items()},
        )

    return run


_NAMED: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@cache
def defaults_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """Keyword parameter of a library's function -> its default, if known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a compiled function may have no signature
        return {}
    defaults = {each.name: each.default for each in parameters if each.kind in _NAMED}
    return defaults | ({"keepdims": False} if "keepdims" in defaults else {})  # which NumPy writes as "no value"
