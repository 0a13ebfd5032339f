"""Functions of a namespace: find the cached plan for the arguments and call it."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from promo_runtime.array.array import Array
from promo_runtime.array.space import Space
from promo_runtime.context.backend_in_use import backend_in_use
from promo_runtime.functions.definitions import Function
from promo_runtime.plans.call_keys import BY_CLASS, exactly, keep, kind, kinds, other_kind
from promo_runtime.plans.elementwise_plans import Plan
from promo_runtime.plans.function_plans import function_plan
from promo_runtime.plans.function_rules import deciding


def function_of(space: Space, function: Function) -> Callable[..., Any]:
    """The function of a namespace that has it. Raises as `function_plan` does."""
    plans: dict[Any, Plan] = {}
    find, ndarray, wrapper = plans.get, np.ndarray, Array
    parameters = function.signature.parameters
    readers: dict[str, Callable[[Any], object]] = dict.fromkeys(deciding(space.system, function), exactly)
    if "arrays" in parameters and parameters["arrays"].kind is not inspect.Parameter.VAR_POSITIONAL:
        readers["arrays"] = kinds
    places = {
        place: readers[name]
        for place, (name, parameter) in enumerate(parameters.items())
        if name in readers and parameter.kind is not parameter.KEYWORD_ONLY
    }

    creates = not function.arrays
    reads = bool(places) or creates

    def call(*arguments: Any, **keywords: Any) -> Any:
        key: tuple[object, ...]
        if reads:
            key = tuple(places.get(place, kind)(each) for place, each in enumerate(arguments))
            if creates:
                key = (backend_in_use(), *key)
        elif len(arguments) == 1:  # `kind` without the call
            (x,) = arguments
            cls = x.__class__
            key = (
                x._type if cls is wrapper else (x.dtype if x.ndim else (x.dtype,)) if cls is ndarray
                else cls if cls in BY_CLASS else other_kind(x),
            )  # fmt: skip
        else:
            key = tuple([
                x._type if (cls := x.__class__) is wrapper else
                (x.dtype if x.ndim else (x.dtype,)) if cls is ndarray else cls if cls in BY_CLASS else other_kind(x)
                for x in arguments
            ])  # fmt: skip
        if keywords and readers:
            key = (*key, *keywords, *(readers.get(name, kind)(each) for name, each in keywords.items()))
        elif keywords:
            key = (*key, *keywords, *map(kind, keywords.values()))
        found = find(key)
        if found is None:
            found, lasts = function_plan(space, function, arguments, keywords)
            if lasts:
                keep(plans, key, found)
        return found(*arguments, **keywords)

    call.__name__ = call.__qualname__ = function.name.rpartition(".")[2]
    call.__signature__ = function.signature  # type: ignore[attr-defined] # inspect.signature reads it
    return call
