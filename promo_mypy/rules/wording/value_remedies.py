"""Suggest what to write instead of an operation that a system accepts, but that loses values or is too wide."""

from collections.abc import Collection, Iterable, Sequence

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import OperandCast, Remedy
from promo_mypy.rules.wording.dialects import Dialect, holds
from promo_mypy.rules.wording.reasons import is_infinite_or_nan


def literal_remedy(dialect: Dialect, dtype: type[dt.Shaped], value: int, largest: int, place: int | None) -> Remedy:
    """The remedy for a Python int out of range beside an array of `dtype`.

    `largest`: the end of the range; `place`: that of the array among the operands, if it can be cast there.
    """
    # A float dtype that cannot hold the int as an exponent cannot hold it as a float either.
    kinds = "ui" if dtype.kind in "bui" else "f"
    if dtype.kind in "bui" or largest == int(dtype.maximum):
        for wider in dialect.suggested:
            if wider.kind in kinds and wider.minimum <= value <= wider.maximum and holds(wider, dtype):
                cast = OperandCast(place, wider) if place is not None else None
                return Remedy(f"cast the array with {dialect.cast(wider)}", cast)
    return Remedy("write it as a float if you only need its magnitude")


def stored_remedy(dialect: Dialect, value: float, dtype: type[dt.Shaped], kinds: str = "ui") -> Remedy:
    """The remedy for storing a Python number out of range of the requested dtype; `kinds`: the kinds to suggest.

    A dtype that holds the other items of the array, too, comes first.
    """
    suggested = [each for each in dialect.suggested if each.kind in kinds]
    suggested.sort(key=lambda each: not holds(each, dtype))
    suggested.sort(key=lambda each: each.kind == "f" and each.bits < dt.float32.bits)  # few programs want these
    fitting = (each for each in suggested if is_infinite_or_nan(value) or each.minimum <= value <= each.maximum)
    known = list(fitting)
    # Beside a negative number, no dtype holds all of uint64: a wider one holds more.
    wider = known[0] if known and holds(known[0], dtype) else max(known, key=lambda each: each.bits, default=None)
    if wider is None:
        return Remedy("use a float" if "f" not in kinds else "use a smaller number")
    return Remedy(f"use a dtype that holds it, such as {wider.name}")


def narrow_remedy(operands: Sequence[type[dt.Shaped]], results: Collection[type[dt.Shaped]]) -> Remedy:
    """The cast that keeps a result as narrow as the operands."""
    inexact = [dtype for dtype in operands if issubclass(dtype, dt.Inexact)]
    if inexact and len(inexact) < len(operands):
        widest = max(inexact, key=lambda dtype: dtype.itemsize)
        return Remedy(f"cast the other operand to {widest.name} first if that precision is enough")
    if not inexact and all(issubclass(dtype, dt.Inexact) for dtype in results):
        return Remedy("cast the operands to a narrower float first if its precision is enough")
    return Remedy("cast one operand to the dtype of the other first if its values fit")


def exact_remedy(operands: Iterable[dt.OperandType]) -> Remedy:
    """How to keep integers exact beside other numbers."""
    dtypes = set(operands)
    if len(dtypes) > 1 and all(issubclass(dtype, dt.Integer) for dtype in dtypes):
        return Remedy("cast one operand to the dtype of the other first if its values fit")
    return Remedy("cast the integer to a float of the precision that you need first")


def lossless_write(lost: str | None) -> Remedy:
    """What to write instead of a write that loses the fraction or the imaginary part."""
    return Remedy("write into an array of floats" if lost == "the fraction" else "write into a complex array")


def signed_remedy(dialect: Dialect, signed: type[dt.Shaped] | None, written: str) -> Remedy:
    """What to write instead of a difference of unsigned integers.

    Args:
        dialect: the spelling of casts.
        signed: the dtype that holds the difference; None if no dtype does.
        written: the difference, with {x} or {y} in place of the operand to cast.
    """
    if signed is None:
        return Remedy("take the smaller number away from the larger one")
    # In `x = x - y` for `x -= y` more than an operand changes.
    cast = None if "=" in written else OperandCast(1 if "{y}" in written else 0, signed)
    return Remedy(f"write {written.format(x=dialect.cast(signed), y=dialect.cast(signed, 'y'))}", cast)


def negative_power_remedy(dialect: Dialect) -> Remedy:
    """The remedy for integers to a negative power."""
    return Remedy(f"write the exponent as a float, or cast the array with {dialect.cast(dt.float32)}")
