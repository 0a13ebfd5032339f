"""NumPy's ufuncs called on an `Array`: the operation that the ufunc is, under the system of the array."""

from typing import TYPE_CHECKING, Any

import numpy as np

from promo_mypy.rules import reasons
from promo_mypy.rules.promotion import Operand, Refusal
from promo_runtime.arguments import argument
from promo_runtime.array import Array
from promo_runtime.elementwise_rows import BY_UFUNC
from promo_runtime.refusals import PromotionError

if TYPE_CHECKING:
    from promo_runtime.namespace import Namespace


def call(space: "Namespace", ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """`numpy.add(x, y)`, also with `out`. Raises TypeError for a ufunc, a method or a keyword that has no rule."""
    operation = BY_UFUNC.get(ufunc)
    options = dict(keywords)
    (out,) = options.pop("out", (None,)) if ufunc.nout == 1 else (None,)
    name = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    function = space.operations.get(operation or "") or getattr(space, operation or "", None)
    if function is None or method != "__call__":
        raise TypeError(
            f"no rule of {space.system.name} promotion tells the dtype of {name}: call it on numpy.asarray(x)"
        )
    if options:
        raise TypeError(f"{name} takes no {', '.join(options)} beside arrays under {space.system.name} promotion")
    result = function(*inputs)
    return result if out is None else _stored(space, operation or "", result, out)


def _stored(space: "Namespace", operation: str, result: Array[Any], out: Any) -> Any:
    """`out`, filled, if the system casts that far in place. Raises TypeError, PromotionError."""
    if not space.system.in_place:
        raise TypeError(f"arrays under {space.system.name} promotion are immutable: leave out= away")
    source, target = result._type.operand, argument(out).operand
    if not space.system.can_cast(source.dtype, target.dtype):  # type: ignore[arg-type] # arrays, no Python scalars
        reason = reasons.cannot_store(space.system.dialect.library, source.dtype, target.dtype)  # type: ignore[arg-type]
        shown = (Operand(target.dtype), Operand(source.dtype))
        remedy = f"give an out array of {source.dtype.name}"
        raise PromotionError(Refusal(space.system.name, operation, shown, reason, remedy))
    data = out._data if isinstance(out, Array) else out
    np.copyto(data, result._data, casting="unsafe")
    return out
