"""Call NumPy's ufuncs on an `Array` as the same operation under its system."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.wording import reasons
from promo_runtime.array.array import Array, data_of
from promo_runtime.array.space import Space
from promo_runtime.errors import PromotionError
from promo_runtime.functions.function_table import FUNCTIONS
from promo_runtime.kernels.elementwise_rows import BY_UFUNC, ROWS
from promo_runtime.plans.arguments import argument

_METHODS: Final[Mapping[str, Mapping[np.ufunc, str]]] = MappingProxyType(
    {
        "reduce": {
            np.add: "sum", np.multiply: "prod", np.maximum: "max", np.minimum: "min", np.logical_and: "all",
            np.logical_or: "any",
        },
        "accumulate": {np.add: "cumulative_sum", np.multiply: "cumulative_prod"},
    }
)  # fmt: skip
"""Method of ufuncs -> ufunc -> the same function of namespaces, along the first axis by default."""


def call(space: Space, ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """`numpy.add(x, y)`, also with `out`. Raises TypeError for a ufunc, a method or a keyword that has no rule."""
    options = dict(keywords)
    (out,) = options.pop("out", (None,)) if ufunc.nout == 1 else (None,)
    name = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    function = _function(space, ufunc, method)
    if function is None:
        raise TypeError(
            f"no rule of {space.system.name} promotion states the dtype of {name}: call it on numpy.asarray(x)"
        )
    if method in _METHODS:
        inputs, options = _along_an_axis(inputs, options)
    elif options:
        raise TypeError(f"{name} does not accept {', '.join(options)} with arrays under {space.system.name} promotion")
    result = function(*inputs, **options)
    return result if out is None else _stored(space, BY_UFUNC.get(ufunc, ufunc.__name__), result, out)


def _function(space: Space, ufunc: np.ufunc, method: str) -> Callable[..., Any] | None:
    """The function of the namespace; None if it has none."""
    if method in _METHODS:
        return getattr(space, _METHODS[method].get(ufunc, ""), None)
    operation = BY_UFUNC.get(ufunc) or (ufunc.__name__ if ufunc.__name__ in FUNCTIONS else "")
    found: Callable[..., Any] | None = getattr(space, ROWS[operation].name if operation in ROWS else operation, None)
    if method == "__call__" or found is None:
        return found
    return _outer(space, found) if method == "outer" and ufunc.signature is None else None


def _along_an_axis(inputs: tuple[Any, ...], options: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The array and the given options; `reduce` accepts axis and dtype as positional arguments, too."""
    array, *positional = inputs
    given = {**dict(zip(("axis", "dtype"), positional, strict=False)), **options}
    return (array,), {
        "axis": 0,
        **{name: value for name, value in given.items() if name == "axis" or value is not None},
    }


def _outer(space: Space, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function on every pair of elements of two arrays."""

    def outer(one: Any, other: Any) -> Any:
        return function(space.reshape(one, (*np.shape(one), *(1,) * np.ndim(other))), other)

    return outer


def _stored(space: Space, operation: str, result: Array[Any], out: Any) -> Any:
    """Fill and return `out`, if the system allows the cast in place. Raises TypeError, PromotionError."""
    if not space.system.in_place:
        raise TypeError(f"arrays under {space.system.name} promotion are immutable: leave out the argument out=")
    source, target = result._type.operand, argument(out).operand
    if not space.system.can_cast(source.dtype, target.dtype):  # type: ignore[arg-type] # arrays, not Python scalars
        reason = reasons.cannot_store(space.system.dialect.library, source.dtype, target.dtype)  # type: ignore[arg-type]
        shown = (Operand(target.dtype), Operand(source.dtype))
        remedy = Remedy(f"pass an out array of {source.dtype.name}")
        raise PromotionError(Refusal(space.system.name, operation, shown, reason, remedy))
    np.copyto(data_of(out), result._data, casting="unsafe")
    return out
