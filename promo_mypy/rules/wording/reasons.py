"""Why a library rejects an operation: the wording of every reason.

A reason is a sentence without capital and full stop, ready for a message.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from promo_mypy.rules.dtypes import PythonScalar, Shaped
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operators import OPERATORS

SYMBOLS: Final[Mapping[str, str]] = {row.operation: row.symbol for row in OPERATORS.values()}
"""Operation -> its symbol."""


def spelled(dtype: type[Shaped] | type[PythonScalar]) -> str:
    """A dtype in a sentence: float32, weak float32, Python int."""
    if issubclass(dtype, PythonScalar):
        return f"Python {dtype.name.removeprefix('py_')}"
    return f"weak {dtype.strong.name}" if dtype.weak else dtype.name


def no_common_dtype(library: str, operands: Iterable[Operand]) -> str:
    """The operands do not promote."""
    return f"{_listed(operands)} have no common dtype in {library}"


def not_defined(library: str, operation: str, operands: Iterable[Operand], dtype: type[Shaped]) -> str:
    """The library does not define the operation for `dtype`, the dtype of an operand or of their promotion."""
    reason = f"{library} does not define {SYMBOLS.get(operation, operation)} for "
    kinds = "ui" if dtype.kind in "ui" else dtype.kind
    blamed = [operand.dtype for operand in operands if operand.dtype.kind in kinds]
    arrays = [blame for blame in blamed if issubclass(blame, Shaped)]
    if blamed:
        return reason + (spelled(arrays[0]) if arrays else f"a {spelled(blamed[0])}")
    return f"{reason}{dtype.strong.name}, which {_listed(operands)} promote to"


def no_operator(library: str, operation: str) -> str:
    """The library's arrays lack the operator."""
    return f"{library}'s arrays do not support {SYMBOLS[operation]}"


def absent(library: str, dtype: type[Shaped]) -> str:
    """The library has no such dtype, or no arrays of it."""
    return f"{library} has no arrays of dtype {spelled(dtype)}"


def result_absent(library: str, operation: str, operands: Iterable[Operand], result: type[Shaped]) -> str:
    """The result would have a dtype that the library lacks."""
    called = f"the dtype of {SYMBOLS[operation]} on" if operation in SYMBOLS else "the dtype of"
    return f"{library} has no arrays of dtype {spelled(result)}, which is {called} {_listed(operands)}"


def scalar_in_matmul(operand: Operand) -> str:
    """A scalar beside @."""
    return f"@ needs arrays of at least one dimension, not a {operand.form.value}"


def random_key() -> str:
    """Arithmetic on PRNG keys."""
    return "PRNG keys do not support arithmetic"


def unequal_dtypes(library: str, operation: str, operands: Iterable[Operand]) -> str:
    """An operation that does not promote, on different dtypes."""
    return f"the operands of {SYMBOLS[operation]} must have the same dtype in {library}, not {_listed(operands)}"


def scalar_on_the_right(library: str, operation: str, scalar: type[PythonScalar]) -> str:
    """An operator that takes a Python scalar on the left only."""
    return f"{library} does not take a {spelled(scalar)} on the right of {SYMBOLS[operation]}"


def narrowed_weak(library: str, wide: type[Shaped], result: type[Shaped]) -> str:
    """A weak operand of @ that is wider than the dtype that the operands promote to."""
    return f"{library} does not narrow {spelled(wide)} to the result's {spelled(result)} for @"


def cannot_store(library: str, result: type[Shaped], target: type[Shaped]) -> str:
    """The result of an in-place operation cannot be stored in the target."""
    return f"the result is {spelled(result)}, which {library} does not cast to {spelled(target)} in place"


def is_infinite_or_nan(value: float) -> bool:
    """Whether this is an infinity or NaN: ints of any length are numbers."""
    return not isinstance(value, int) and not math.isfinite(value)


#: The most bits of an int that is written in decimal.
_MOST_BITS: Final = 64


def out_of_range(value: float, what: str, bounds: tuple[float, float]) -> str:
    """A Python number outside `bounds`, the range of `what`. Very long bounds are omitted."""
    if is_infinite_or_nan(value):
        return f"{what} has no {value}"
    if isinstance(bounds[1], int) and bounds[1].bit_length() > _MOST_BITS:
        return f"{number(value)} is too large for {what}"
    return f"{number(value)} is out of range for {what} ({_limit(bounds[0])} to {_limit(bounds[1])})"


def _limit(value: float) -> str:
    """An int in full, a float with the digits that matter."""
    return str(value) if isinstance(value, int) else f"{value:g}"


def negative_power(library: str, value: int) -> str:
    """An integer array to a negative integer power."""
    return f"{library} does not raise integers to the negative power {number(value)}"


def number(value: float) -> str:
    """A number in decimal, or as a power of 2: Python does not print very long ints."""
    if not isinstance(value, int):
        return str(value)
    size = abs(value)
    if size.bit_length() <= _MOST_BITS:
        return str(value)
    return f"{'-' if value < 0 else ''}2**{size.bit_length() - 1}{'' if size.bit_count() == 1 else ' or more'}"


def _listed(operands: Iterable[Operand]) -> str:
    return " and ".join(dict.fromkeys(spelled(operand.dtype) for operand in operands))
