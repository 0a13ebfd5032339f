"""Explain the result of some operands under a promotion system: path, reason and cost."""

from dataclasses import dataclass
from functools import cache

from promo_mypy.rules.dtypes import PythonScalar, Shaped
from promo_mypy.rules.lattices.order import Order, chain, reduced
from promo_mypy.rules.lattices.places import places_of
from promo_mypy.rules.operands import Operand, Refusal, Result
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording.losses import Cost, cost
from promo_mypy.rules.wording.reasons import SYMBOLS, spelled


@dataclass(frozen=True, slots=True)
class Way:
    """The path of one operand to the result."""

    operand: str
    counts_as: str | None
    """The node that a Python scalar counts as beside the arrays, or the node of a dtype if its name differs."""
    path: tuple[str, ...]
    """The chain of upcasts in the order of the system, both ends included; empty if there is no chain."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one system."""

    system: str
    result: str | None
    why: str
    remedy: str | None = None
    """What to write instead of a rejected operation."""
    ways: tuple[Way, ...] = ()
    costs: tuple[Cost, ...] = ()


def explain(system: PromotionSystem, operands: tuple[Operand, ...], operation: str = "promote") -> Explanation:
    """The result of `operation`: "promote", or an operator for two operands."""
    promoted = system.promote(*operands)
    answer = promoted if operation == "promote" else system.resolve(operation, *operands)
    if isinstance(answer, Refusal):
        return Explanation(system.name, None, answer.reason, answer.remedy)
    why = _why(system, operands, promoted)
    if operation != "promote":
        why += f"; {SYMBOLS[operation]} gives {spelled(answer)}"
    # An operator may give another dtype than its operands promote to: bool for a comparison.
    target = answer if isinstance(promoted, Refusal) else promoted
    ways = tuple(
        Way(
            spelled(operand.dtype),
            place if place is not None and (place != operand.name) else None,
            _path(system, place, target),
        )
        for operand, place in zip(operands, places_of(system, operands), strict=True)
    )
    costs = () if answer.kind == "b" else tuple(cost(operand, answer) for operand in dict.fromkeys(operands))
    return Explanation(system.name, answer.name, why, None, ways, costs)


def _why(system: PromotionSystem, operands: tuple[Operand, ...], promoted: Result) -> str:
    if isinstance(promoted, Refusal):
        return promoted.reason
    if all(operand.dtype is promoted for operand in operands):
        return "they are one dtype, which stays"
    places = [place for place in places_of(system, operands) if place is not None]
    result = system.node_of(promoted)
    if system.lattice is None or len(places) < len(operands):
        return f"{system.name} has a rule of its own for these, outside any order of dtypes"
    bounds = system.lattice.order.minimal_bounds(places)
    counted = _counted(system, operands)
    if result not in bounds:
        expected = f"{' and '.join(bounds)} would be the lowest above them" if bounds else "nothing stands above them"
        return f"{counted}{system.name} has a rule of its own for these: in its order {expected}"
    if len(bounds) > 1:
        return f"{counted}{' and '.join(bounds)} are both lowest above them, and the lowest kind is taken"
    if set(places) == {result}:
        return f"{counted}there is nothing to promote" if not counted else counted.removesuffix("; ")
    where = (
        f"stands above the {'other' if len(places) == 2 else 'others'}"
        if result in places
        else "is the lowest above them"
    )
    return f"{counted}in {system.name}'s order {result} {where}"


def _counted(system: PromotionSystem, operands: tuple[Operand, ...]) -> str:
    """The nodes that Python scalars count as, as the beginning of a sentence."""
    found = [
        f"a {spelled(operand.dtype)} counts as {place} here"
        for operand, place in zip(operands, places_of(system, operands), strict=True)
        if issubclass(operand.dtype, PythonScalar)
    ]
    return "".join(f"{each}; " for each in dict.fromkeys(found))


def _path(system: PromotionSystem, place: str | None, promoted: type[Shaped]) -> tuple[str, ...]:
    if place is None or system.lattice is None:
        return ()
    return chain(_covers(system.lattice.order), place, system.node_of(promoted))


@cache
def _covers(order: Order) -> dict[str, tuple[str, ...]]:
    return dict(reduced(order, order.rows))
