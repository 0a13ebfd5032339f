"""Call NumPy's functions on an `Array` as the same function of its namespace.

NumPy itself computes functions that create no arrays, on the arrays' data.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from promo_runtime.array.array import Array, data_of
from promo_runtime.array.space import Space
from promo_runtime.functions.definitions import Function
from promo_runtime.functions.function_table import FUNCTIONS

_KEYWORDS: Final = {"ddof": "correction"}
"""NumPy's keyword -> the standard's keyword."""

_OLDER_NAMES: Final[Mapping[Any, str]] = {
    np.amax: "max", np.amin: "min", np.around: "round",
}  # fmt: skip
"""NumPy's functions with a second name."""

_INSPECTING: Final = frozenset(
    {
        np.allclose, np.array2string, np.array_equal, np.array_equiv, np.array_str, np.copyto, np.iscomplexobj,
        np.isrealobj, np.may_share_memory, np.ndim, np.save, np.savetxt, np.savez, np.shape, np.shares_memory, np.size,
    }
)  # fmt: skip
"""The functions that create no arrays."""

_ALIKE: Final[Mapping[Any, str]] = {
    np.astype: "astype", np.can_cast: "can_cast", np.empty_like: "empty_like", np.full_like: "full_like",
    np.ones_like: "ones_like", np.result_type: "result_type", np.select: "select", np.where: "where",
    np.zeros_like: "zeros_like",
}  # fmt: skip
"""The functions with the same arguments as the namespace's."""


def _joined(name: str) -> Callable[..., Any]:
    return lambda space, arrays, axis=0: getattr(space, name)(arrays, axis=axis)


def _squeezed(space: Space, a: Any, axis: Any = None) -> Any:
    single = tuple(place for place, length in enumerate(a.shape) if length == 1)
    return space.squeeze(a, single if axis is None else axis)


def _transposed(space: Space, a: Any, axes: Any = None) -> Any:
    return space.permute_dims(a, tuple(reversed(range(a.ndim))) if axes is None else axes)


def _copied(space: Space, a: Any) -> Any:
    return space.asarray(a, copy=True)


def _shown(space: Space, a: Any) -> str:
    del space  # the text contains it
    return repr(a)


_IN_ANOTHER_FORM: Final[Mapping[Any, Callable[..., Any]]] = {
    np.array_repr: _shown, np.concatenate: _joined("concat"), np.copy: _copied, np.squeeze: _squeezed,
    np.stack: _joined("stack"), np.transpose: _transposed,
}  # fmt: skip
"""Functions with another form in NumPy; they get the namespace as first argument."""


def call(space: Space, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """`numpy.sum(x, axis=0)`. Raises TypeError for a function or a keyword that has no rule."""
    if function in _INSPECTING:
        return _inspected(space, function, arguments, keywords)
    if function in _IN_ANOTHER_FORM:
        return _IN_ANOTHER_FORM[function](space, *arguments, **keywords)
    name = _ALIKE.get(function)
    if name is not None and hasattr(space, name):
        return getattr(space, name)(*arguments, **keywords)
    found = _functions().get(function)
    called: Any = space
    for part in found.name.split(".") if found else [function.__name__]:
        called = getattr(called, part, None)
    if found is None or called is None:
        raise TypeError(
            f"numpy.{function.__name__} does not follow {space.system.name} promotion: "
            f'use promo_runtime.namespaces.namespace("{space.system.name}"), or numpy.asarray(x) for NumPy\'s rules'
        )
    positional, options = _rearranged(space, function, found, arguments, keywords)
    return called(*positional, **options)


def _inspected(space: Space, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    if function is np.copyto and not space.mutable and isinstance(arguments[0], Array):
        raise TypeError(f"arrays under {space.system.name} promotion are immutable: make a new one with where(...)")
    return function(*map(data_of, arguments), **{name: data_of(each) for name, each in keywords.items()})


def _rearranged(
    space: Space, function: Any, found: Function, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Positional and keyword arguments for the namespace's function."""
    signature = inspect.signature(function)
    bound = signature.bind(*arguments, **keywords)
    parameters = found.signature.parameters
    own = [name for name, each in parameters.items() if each.kind is not each.KEYWORD_ONLY]
    positional: list[Any] = []
    options: dict[str, Any] = {}
    for place, (name, parameter) in enumerate(signature.parameters.items()):
        if name not in bound.arguments:
            continue
        value, wanted = bound.arguments[name], _KEYWORDS.get(name, name)
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += value
        elif place == len(positional) < len(own) and (wanted not in parameters or own[place] == wanted):
            positional.append(value)
        elif wanted in parameters:
            options[wanted] = value
        else:
            raise TypeError(
                f"numpy.{function.__name__} does not accept {name} with arrays under {space.system.name} promotion"
            )
    return positional, options


@cache
def _functions() -> dict[Any, Function]:
    """NumPy's functions that are not ufuncs -> the same function of namespaces."""
    found = {function: FUNCTIONS[name] for function, name in _OLDER_NAMES.items()}
    for name, function in FUNCTIONS.items():
        numpy: Any = np
        for part in name.split("."):
            numpy = getattr(numpy, part, None)
        if numpy is not None and not isinstance(numpy, np.ufunc):
            found[numpy] = function
    return found
