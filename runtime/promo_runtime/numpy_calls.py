"""NumPy's functions called on an `Array`: the function of the namespace that is the same, under the array's system."""

import inspect
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from promo_runtime.function_table import FUNCTIONS
from promo_runtime.functions import Function

if TYPE_CHECKING:
    from promo_runtime.namespace import Namespace

_KEYWORDS: Final = {"ddof": "correction"}
"""What NumPy calls a keyword -> what the standard calls it."""


def call(space: "Namespace", function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """`numpy.sum(x, axis=0)`. Raises TypeError for a function or a keyword that has no rule."""
    found = _functions().get(function)
    if found is None or not hasattr(space, found.name.partition(".")[0]):
        raise TypeError(
            f"numpy.{function.__name__} does not follow {space.system.name} promotion: "
            f'use promo_runtime.namespace("{space.system.name}"), or numpy.asarray(x) for NumPy\'s rules'
        )
    bound = inspect.signature(function).bind(*arguments, **keywords)
    parameters = found.signature.parameters
    positional: list[Any] = []
    options: dict[str, Any] = {}
    own = [each for each in parameters.values() if each.kind is not each.KEYWORD_ONLY]
    for place, (name, value) in enumerate(bound.arguments.items()):
        wanted = _KEYWORDS.get(name, name)
        if place < len(own) and wanted not in parameters:
            positional.append(value)
        elif wanted in parameters:
            options[wanted] = value
        else:
            raise TypeError(
                f"numpy.{function.__name__} takes no {name} beside arrays under {space.system.name} promotion"
            )
    called: Any = space
    for part in found.name.split("."):
        called = getattr(called, part)
    return called(*positional, **options)


@cache
def _functions() -> dict[Any, Function]:
    """NumPy's functions that are no ufuncs -> the same function of namespaces."""
    found = {}
    for name, function in FUNCTIONS.items():
        numpy: Any = np
        for part in name.split("."):
            numpy = getattr(numpy, part, None)
        if numpy is not None and not isinstance(numpy, np.ufunc):
            found[numpy] = function
    return found
