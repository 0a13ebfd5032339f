"""The operations that the promotion systems answer for, by name."""

from collections.abc import Mapping
from typing import Final

_AUGMENTED: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift",
)  # fmt: skip

COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
BINARY: Final = COMPARISONS.union(_AUGMENTED, {"divmod"})
UNARY: Final = frozenset({"neg", "pos", "abs", "invert"})
IN_PLACE: Final[Mapping[str, str]] = {"i" + plain: plain for plain in _AUGMENTED}
"""Augmented assignment -> the operation it performs."""
