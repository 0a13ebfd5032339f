"""Read the floats that an expression writes: literals, `-1.5`, the names of NaN and infinity, and `float("nan")`."""

import math
from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, FloatExpr, ListExpr, RefExpr, StrExpr, TupleExpr, UnaryExpr

#: Full names, in mypy's stubs, of floats that are not numbers. PyTorch's are those of `math`.
_NAMED: Final = {
    f"{module}.{name}": value
    for module in ("math", "numpy", "jax.numpy")
    for name, value in (("nan", math.nan), ("inf", math.inf))
}


def written_float(expression: Expression) -> float | None:
    """The float; None for any other expression."""
    match expression:
        case FloatExpr(value=value):
            return value
        case RefExpr(fullname=name):
            return _NAMED.get(name)
        case UnaryExpr(op="-", expr=operand):
            written = written_float(operand)
            return None if written is None else -written
        case CallExpr(callee=RefExpr(fullname="builtins.float"), args=[StrExpr(value=text)]):
            return _parsed(text)
        case _:
            return None


def _parsed(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def written_floats(expression: Expression, *, nested: bool) -> Iterator[float]:
    """The float, or with `nested` those in lists and tuples."""
    if nested and isinstance(expression, ListExpr | TupleExpr):
        for item in expression.items:
            yield from written_floats(item, nested=nested)
    written = written_float(expression)
    if written is not None:
        yield written
