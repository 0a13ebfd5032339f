"""Why a library refuses an operation and what to write instead: the wording of every `Refusal`, in one place."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from promo_mypy.rules.dialects import Dialect, holds
from promo_mypy.rules.dtypes import PythonScalar, Shaped, float32, int32, uint8
from promo_mypy.rules.operators import OPERATORS

if TYPE_CHECKING:  # the systems use this module, so it knows them only as types
    from promo_mypy.rules.promotion import Operand, PromotionSystem

SYMBOLS: Final[Mapping[str, str]] = {row.operation: row.symbol for row in OPERATORS.values()}
"""Operation -> how people write it."""


class Explanation(NamedTuple):
    """Reason and remedy: sentences without capital and full stop, ready for a message."""

    reason: str
    remedy: str


#: (operation, kind of the dtype) -> remedy; {integer}, {small} and {float} are casts of x.
_INSTEAD: Final[Mapping[tuple[str, str], str]] = {
    ("sub", "b"): "use ^ for truth values, or cast to count: {small}",
    ("neg", "b"): "use ~ for truth values, or cast to a number: {integer}",
    ("pos", "b"): "leave it out, or cast to a number: {small}",
    ("abs", "b"): "leave it out: a truth value has no sign",
    ("matmul", "b"): "cast to a number: {float}",
    **dict.fromkeys([("floordiv", "b"), ("mod", "b"), ("pow", "b"), ("divmod", "b")], "cast to a number: {small}"),
    **dict.fromkeys([("lshift", "b"), ("rshift", "b")], "cast to an integer: {small}"),
    **{(name, "f"): "cast to an integer: {integer}" for name in ("and", "or", "xor", "lshift", "rshift", "invert")},
    **{
        (name, "c"): "take a part and cast it to an integer: {integer_part}"
        for name in ("and", "or", "xor", "lshift", "rshift", "invert")
    },
    **{(name, "c"): "use / or work on a part, x.real" for name in ("floordiv", "mod", "divmod")},
    **{(name, "c"): "compare abs(x), or a part, x.real" for name in ("lt", "le", "gt", "ge")},
}


def no_common_dtype(system: "PromotionSystem", operands: "tuple[Operand, ...]") -> Explanation:
    """The operands do not promote: names the one cast that helps, else the dtype to cast all of them to."""
    dialect = system.dialect
    reason = f"{_listed(operands)} have no common dtype in {dialect.library}"
    target = dialect.holding(o.dtype.strong for o in operands if not issubclass(o.dtype, PythonScalar))
    for position, operand in enumerate(operands):
        if operand.dtype is target or issubclass(operand.dtype, PythonScalar):
            continue
        recast = (*operands[:position], replace(operand, dtype=target), *operands[position + 1 :])
        if system.joins(*recast):
            return Explanation(reason, f"cast the {operand.name} operand: {dialect.cast(target)}")
    return Explanation(reason, f"cast the operands to one dtype, for example {dialect.cast(target)}")


def not_defined(
    system: "PromotionSystem", operation: str, operands: "tuple[Operand, ...]", dtype: type[Shaped]
) -> Explanation:
    """The library has no such operation for `dtype`, the dtype of an operand or the one they promote to."""
    dialect = system.dialect
    promoted = all(operand.dtype is not dtype for operand in operands) and not (
        len(operands) == 2 and any(issubclass(o.dtype, PythonScalar) and o.dtype.kind == dtype.kind for o in operands)
    )
    reason = f"{dialect.library} does not define {SYMBOLS[operation]} for {dtype.strong.name}"
    if promoted:
        reason += f", which {_listed(operands)} promote to"
    template = _INSTEAD.get((operation, dtype.kind), "cast to a dtype that has it, for example {float}")
    return Explanation(
        reason,
        template.format(
            small=dialect.cast(uint8),
            integer=dialect.cast(int32),
            integer_part=dialect.cast(int32, "x.real"),
            float=dialect.cast(float32),
        ),
    )


def absent(dialect: Dialect, dtype: type[Shaped]) -> Explanation:
    """The library has no arrays of that dtype."""
    return Explanation(
        f"{dialect.library} has no dtype {dtype.name}", f"use {dialect.spell(dialect.holding((dtype,)))}"
    )


def needs_arrays(operand: "Operand") -> Explanation:
    """A scalar beside @."""
    return Explanation(
        f"@ needs arrays of at least one dimension, not a {operand.form.value}", "write * to multiply by a scalar"
    )


def random_key() -> Explanation:
    """Arithmetic on PRNG keys."""
    return Explanation(
        "random keys are no numbers", "draw numbers from the key, for example jax.random.uniform(key, shape)"
    )


def cannot_store(dialect: Dialect, result: type[Shaped], target: type[Shaped]) -> Explanation:
    """The result of an in-place operation does not go into the target."""
    return Explanation(
        f"the result is {result.name}, which {dialect.library} does not cast to {target.name} in place",
        f"write the operation out to get {result.name}, or cast its result: {dialect.cast(target, '(...)')}",
    )


def out_of_range(dialect: Dialect, dtype: type[Shaped], value: int, what: str, bounds: tuple[int, int]) -> Explanation:
    """A Python int beside an array of `dtype`, outside `bounds`, those of `what`."""
    low, high = (_number(bound) for bound in bounds)
    wider = next(
        (d for d in dialect.suggested if d.kind in "ui" and d.minimum <= value <= d.maximum and holds(d, dtype)),
        None,
    )
    if wider is not None and dtype.kind in "bui":
        remedy = f"cast the array: {dialect.cast(wider)}"
    else:
        remedy = "write it as a float, if its magnitude is what matters"
    return Explanation(f"{_number(value)} is out of range for {what} ({low} to {high})", remedy)


def negative_power(dialect: Dialect, value: int) -> Explanation:
    """An integer array to a negative integer power."""
    return Explanation(
        f"{dialect.library} does not raise integers to the negative power {_number(value)}",
        f"write the exponent as a float, or cast the array: {dialect.cast(float32)}",
    )


def _listed(operands: "tuple[Operand, ...]") -> str:
    return " and ".join(dict.fromkeys(operand.name for operand in operands))


def _number(value: int) -> str:
    """Decimal where it can be read (Python refuses to print very long ints)."""
    if value.bit_length() <= 64:
        return str(value)
    return f"{'-' if value < 0 else ''}2**{abs(value).bit_length() - 1}" + (
        "" if abs(value).bit_count() == 1 else " or so"
    )


def unequal_dtypes(system: "PromotionSystem", operation: str, operands: "tuple[Operand, ...]") -> Explanation:
    """An operation that does not promote, on different dtypes."""
    dialect = system.dialect
    target = dialect.holding(o.dtype.strong for o in operands if not issubclass(o.dtype, PythonScalar))
    changed = next(operand for operand in operands if operand.dtype is not target)
    return Explanation(
        f"{dialect.library} does not promote for {SYMBOLS[operation]}: both operands need one dtype, "
        f"not {_listed(operands)}",
        f"cast the {changed.name} operand: {dialect.cast(target)}"
        if any(operand.dtype is target for operand in operands)
        else f"cast both operands to one dtype, for example {dialect.cast(target)}",
    )
