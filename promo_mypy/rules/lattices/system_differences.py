"""Compare two promotion systems cell by cell."""

from collections.abc import Iterable, Iterator
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operations import BINARY, IN_PLACE, UNARY
from promo_mypy.rules.operators import OPERATORS
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record

#: "promote" and all operators, in the order of their table.
OPERATIONS: Final = ("promote", *dict.fromkeys(row.operation for row in OPERATORS.values()))


@record
class Difference:
    """Cells with the same operands, and the same two answers to all of these operations."""

    operands: tuple[str, ...]
    """The names of one or two operands: "float32", "float32*", "py_float"."""
    operations: tuple[str, ...]
    before: str | None
    """The dtype; None if the operation is rejected."""
    after: str | None


def operands_of(*systems: PromotionSystem) -> tuple[Operand, ...]:
    """Every dtype that one of the systems has, smaller dtypes included, its weak ones, and Python's scalars."""
    ordered = (*dt.ORDINARY, *(dtype for dtype in dt.DTYPES.values() if not dtype.weak and dtype.kind in "buifc"))
    strong = dict.fromkeys(dtype for dtype in ordered if any(system.has(dtype) for system in systems))
    weak = dict.fromkeys(dtype for system in systems for dtype in system.weak_dtypes)
    arrays = (Operand(dtype) for dtype in (*strong, *weak))
    return (*arrays, *(Operand(scalar) for scalar in dt.PYTHON_SCALARS.values()))


def differences(before: PromotionSystem, after: PromotionSystem, operands: Iterable[Operand]) -> Iterator[Difference]:
    """All differences between the answers for each of these operands and each pair, in both orders.

    In-place `x += y` is left out if arrays are immutable: it equals `x + y` there. Python itself computes with two
    Python scalars. If both systems reject, they do not differ, whatever the reasons.
    """
    listed = tuple(operands)
    mutable = before.in_place and after.in_place
    binary = [name for name in OPERATIONS if name == "promote" or name in BINARY or (mutable and name in IN_PLACE)]
    unary = [name for name in OPERATIONS if name in UNARY]
    arrays = [operand for operand in listed if not issubclass(operand.dtype, dt.PythonScalar)]
    for operand in arrays:
        yield from _compared(before, after, (operand,), ["promote", *unary])
    for left in listed:
        for right in listed if left in arrays else arrays:
            yield from _compared(before, after, (left, right), binary)


def cells(found: Iterable[Difference]) -> int:
    """The number of cells."""
    return sum(len(difference.operations) for difference in found)


def _compared(
    before: PromotionSystem, after: PromotionSystem, operands: tuple[Operand, ...], operations: Iterable[str]
) -> Iterator[Difference]:
    by_answers: dict[tuple[str | None, str | None], list[str]] = {}
    for operation in operations:
        answers = _answer(before, operation, operands), _answer(after, operation, operands)
        if answers[0] != answers[1]:
            by_answers.setdefault(answers, []).append(operation)
    for answers, names in by_answers.items():
        yield Difference(tuple(operand.dtype.name for operand in operands), tuple(names), *answers)


def _answer(system: PromotionSystem, operation: str, operands: tuple[Operand, ...]) -> str | None:
    # Only the verdict: finding hundreds of unused remedies would take seconds.
    verdict = system.verdict(operation, operands)
    return None if isinstance(verdict, str) else verdict.name
