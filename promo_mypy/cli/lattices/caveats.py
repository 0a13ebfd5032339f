"""Find what the diagram of a promotion system does not show, by promoting every pair."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Literal

from promo_mypy.cli.lattices.hasse import Hasse, is_weak
from promo_mypy.rules.dtypes import DTYPES, ORDINARY, PYTHON_SCALARS, key
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem

Departure = Literal["asymmetric", "refused", "elsewhere", "competing"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two nodes whose result is not the least upper bound in the diagram."""

    departure: Departure
    nodes: tuple[str, str]
    result: str | None
    bounds: tuple[str, ...]
    """The minimal upper bounds of both."""


def caveats(system: PromotionSystem, diagram: Hasse) -> tuple[str, ...]:
    """Sentences, the most important first; empty if the diagram is complete."""
    return (*_about_pairs(system, diagram), *_about_operands(system, diagram))


def departures(system: PromotionSystem, diagram: Hasse) -> Iterator[Pair]:
    """The pairs for which the diagram is wrong or incomplete. If nothing is above both, a refusal is expected."""
    assert system.lattice is not None, "a diagram has an order"
    order = system.lattice.order
    for one, other in combinations_with_replacement(diagram.nodes, 2):
        bounds = order.minimal_bounds((one, other))
        operands = Operand(system.dtype_of(one)), Operand(system.dtype_of(other))
        found = _result(system, *operands)
        if found != _result(system, *reversed(operands)):
            yield Pair("asymmetric", (one, other), found, bounds)
        elif found is None:
            if bounds:
                yield Pair("refused", (one, other), None, bounds)
        elif found not in bounds:
            yield Pair("elsewhere", (one, other), found, bounds)
        elif len(bounds) > 1:
            yield Pair("competing", (one, other), found, bounds)


def _result(system: PromotionSystem, one: Operand, other: Operand) -> str | None:
    answer = system.promote(one, other)
    return None if isinstance(answer, Refusal) else system.node_of(answer)


def _about_pairs(system: PromotionSystem, diagram: Hasse) -> Iterator[str]:
    found: dict[Departure, list[Pair]] = {}
    for pair in departures(system, diagram):
        found.setdefault(pair.departure, []).append(pair)
    for departure in ("competing", "refused", "elsewhere", "asymmetric"):
        pairs = found.get(departure, [])
        if pairs:
            yield _sentence(departure, pairs)


def _sentence(departure: Departure, pairs: list[Pair]) -> str:
    count = f"{len(pairs)} pair{'s' if len(pairs) > 1 else ''}"
    first = pairs[0]
    names = " with ".join(first.nodes)
    match departure:
        case "competing":
            lowest = " and ".join(first.bounds)
            return f"Several lowest dtypes above both: {count}; {names} is {first.result}, of {lowest}."
        case "refused":
            return f"Rejected, although there are dtypes above both: {count}, such as {names}."
        case "elsewhere":
            return f"Another result than the lowest dtype above both: {count}; {names} is {first.result or 'rejected'}."
        case "asymmetric":
            return f"The order of the operands matters: {count}, such as {names}."


def _about_operands(system: PromotionSystem, diagram: Hasse) -> Iterator[str]:
    assert system.lattice is not None, "a diagram has an order"
    if not diagram.edges:
        yield "No two different dtypes promote: the order has no arrows."
    if not any(map(is_weak, diagram.nodes)):
        yield f"Python's numbers are not drawn: what they count as depends on the array beside them ({_table(system)})."
    if _swapped_scalars(system, diagram):
        yield "With Python's numbers the order of the operands matters."
    if system.rank_matters:
        yield "Drawn for arrays of at least one dimension; a 0-d array may yield to those."
    left_out = [node for node in system.lattice.order.rows if node not in diagram.nodes]
    if left_out:
        yield f"{len(left_out)} dtypes are left out; --all draws them, too."
    strange = [
        name
        for name, dtype in DTYPES.items()
        if system.has(dtype) and dtype is not key and not dtype.weak and name not in system.lattice.covers
    ]
    if strange:
        known = [name for name in strange if len(left_out) == 0 or DTYPES[name] in ORDINARY]
        more = f"{len(strange) - len(known)} more" if len(known) < len(strange) else ""
        listed = ", ".join([*known, more] if more else known)
        yield f"Not in this order, because their results follow other rules: {listed}."


def _swapped_scalars(system: PromotionSystem, diagram: Hasse) -> bool:
    """Whether `x + 1` and `1 + x` promote differently for any dtype of the diagram."""
    arrays = [Operand(system.dtype_of(node)) for node in diagram.nodes]
    scalars = [Operand(scalar) for scalar in PYTHON_SCALARS.values()]
    return any(
        _result(system, array, scalar) != _result(system, scalar, array) for array in arrays for scalar in scalars
    )


def _table(system: PromotionSystem) -> str:
    return f"promo-mypy table {system.name}"
