"""Resolve a call: apply a row to arguments, and find the remedy of a refusal."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.functions.language.arguments import (
    Argument,
    Arguments,
    DtypeArgument,
    Value,
    operands_in,
    with_operands,
)
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.protocols import Answer, Bound, one
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.functions.language.unknown_operands import answer_for_all
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording import reasons
from promo_mypy.rules.wording.dialects import holds


def verdict(system: PromotionSystem, row: Row, arguments: Arguments) -> Answer | str:
    """The answer, or the reason of the error."""
    bound = signature(row.signature).bind(arguments)
    if bound is None:
        return None
    call = Call(system, row.library, row.name, bound)
    operands = [operand for argument in bound.values() for operand in operands_in(argument)]
    absent = [each.dtype for each in operands if issubclass(each.dtype, dt.Shaped) and not system.has(each.dtype)]
    try:
        if absent and not row.rule.takes_any(call):
            return reasons.absent(system.dialect.library, absent[0])
        return row.rule.answer(call)
    except Unresolved:
        return None
    except Refused as refused:
        return str(refused)


def resolved(system: PromotionSystem, row: Row, arguments: Arguments) -> Answer | Refusal:
    """The answer, or the refusal."""
    answer = verdict(system, row, arguments)
    if answer is None:
        return answer_for_all(system, row.library, arguments, partial(verdict, system, row))
    if not isinstance(answer, str):
        return answer
    given = (*arguments.positional, *(argument for _, argument in arguments.keywords))
    operands = tuple(operand for argument in given for operand in operands_in(argument))
    return Refusal(system.name, row.name, operands, answer, partial(_remedy, system, row, arguments, operands))


def _remedy(system: PromotionSystem, row: Row, arguments: Arguments, operands: tuple[Operand, ...]) -> Remedy:
    """The first cast that the function accepts, of one argument or all arrays, preferably one that keeps the values."""
    bound = signature(row.signature).bind(arguments) or {}
    single = _out_remedy(system, row, bound) or _single_remedy(system, row, bound, operands)
    if single is not None:
        return Remedy(single)
    arrays = {operand.dtype for operand in operands if issubclass(operand.dtype, dt.Shaped)}
    own = sorted((dtype for dtype in arrays if dtype.kind in "buifc"), key=lambda dtype: dtype.bits)
    other = _dtype_remedy(system, row, bound, own)
    if other is not None:
        return Remedy(other)
    halves = any(dtype.kind == "f" for dtype in arrays)
    # A half-precision float is no good remedy for an integer, even if it holds the values.
    suggested = [d for d in system.dialect.suggested if d.kind != "f" or d.bits >= 32 or halves]
    keeping = [target for target in suggested if all(holds(target, dtype) for dtype in arrays)]
    widest = max((dtype.bits for dtype in arrays), default=0)
    inexact = any(dtype.kind in "fc" for dtype in arrays)
    losing = sorted(
        suggested,
        # Prefer the dtype of one of the arrays; never suggest an integer for a float.
        key=lambda target: (
            target.kind == "c",
            inexact and target.kind not in "fc",
            target not in arrays,
            abs(target.bits - widest),
        ),
    )
    for target in (*keeping, *losing):
        answer = verdict(system, row, arguments.mapped(partial(_cast, target=target)))
        if answer is not None and not isinstance(answer, str):
            whom = "the arrays" if len(operands) > 1 else "the array"
            return Remedy(f"cast {whom} with {system.dialect.cast(target)}")
    return Remedy("cast the arguments to a dtype that it supports")


def _out_remedy(system: PromotionSystem, row: Row, bound: Bound) -> str | None:
    """Another dtype of the array that the result is written to, if the call is accepted without that array."""
    if bound.get("out", Value(None)) == Value(None):
        return None
    with suppress(Refused, Unresolved):
        result = one(Call(system, row.library, row.name, {**bound, "out": Value(None)}), row.rule)
        unsafe = ', or pass casting="unsafe"' if "casting" in bound else ""
        return f"give out= the dtype {system.dialect.spell(result)}{unsafe}"
    return None


def _dtype_remedy(system: PromotionSystem, row: Row, bound: Bound, arrays: Iterable[DType]) -> str | None:
    """A dtype argument that the function accepts: the dtype of an array, or a default dtype of the library."""
    defaults = [Call(system, row.library, row.name, bound).default(kind) for kind in "fi"]
    for name, argument in bound.items():
        if not isinstance(argument, DtypeArgument):
            continue
        for target in (*arrays, *defaults, *system.dialect.suggested):
            with suppress(Refused, Unresolved):
                row.rule.answer(Call(system, row.library, row.name, {**bound, name: DtypeArgument(target)}))
                return f"pass {name}={system.dialect.spell(target)}"
    return None


def _single_remedy(system: PromotionSystem, row: Row, bound: Bound, operands: tuple[Operand, ...]) -> str | None:
    """The cast of an index or a value, to the dtype of the array or to an integer, or that of other integers."""
    own = [operand.dtype for operand in operands[:1] if issubclass(operand.dtype, dt.Shaped)]
    for name, what in row.rule.remedies.items():
        for target in _INDICES if what == "index" else own:
            changed = {**bound, name: _cast(bound[name], target)}
            if changed == bound:
                continue
            with suppress(Refused, Unresolved):
                row.rule.answer(Call(system, row.library, row.name, changed))
                return f"cast the {what} with {system.dialect.cast(target)}"
    for name, argument in bound.items() if len(operands) > 1 else ():
        dtype, changed = _narrow_integer(argument), {**bound, name: _cast(argument, dt.int64)}
        if dtype is None:
            continue
        with suppress(Refused, Unresolved):
            row.rule.answer(Call(system, row.library, row.name, changed))
            return f"cast the {dtype.name} array with {system.dialect.cast(dt.int64)}"
    return None


def _narrow_integer(argument: Argument) -> DType | None:
    """The dtype of an array of integers that int64 holds, such as labels; None for anything else."""
    dtype = argument.dtype if isinstance(argument, Operand) else None
    if dtype is None or not issubclass(dtype, dt.Shaped) or dtype.kind not in "ui" or dtype is dt.int64:
        return None
    return dtype if holds(dt.int64, dtype) else None


_INDICES: Final = (dt.int64, dt.int32)


def _cast(argument: Argument, target: DType) -> Argument:
    """The same argument with its arrays cast."""
    return with_operands(
        argument, lambda each: replace(each, dtype=target) if issubclass(each.dtype, dt.Shaped) else each
    )
