"""Compare the dtypes of an operation under several promotion systems, and find the cast after which they agree.

Two libraries agree if the elements have the same dtype. A weak float32 array of JAX has float32 elements,
so only concrete dtypes are compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import OperandCast, Remedy
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.operations import COMPARISONS, IN_PLACE
from promo_mypy.rules.possibilities import resolve_sets
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.wording.dialects import holds, keeps_values
from promo_mypy.rules.wording.reasons import spelled

DTypeSet = frozenset[type[dt.Shaped]]

NO_CAST = "no cast of the operands helps, so write it another way"


@record
class Side:
    """One side of an operation: every dtype that it may have, every form, and the value of a Python int literal."""

    dtypes: frozenset[type[dt.Shaped] | type[dt.PythonScalar]]
    forms: tuple[Form, ...] = (Form.ARRAY,)
    literal: int | None = None

    def operands(self, system: PromotionSystem) -> list[frozenset[Operand]]:
        """The operands in `system`, one set for each form. They are weak if the system has weak arrays."""
        dtypes = [_known_to(system, dtype) for dtype in self.dtypes]
        forms = self.forms if system.rank_matters else self.forms[:1]
        return [frozenset(Operand(dtype, form) for dtype in dtypes) for form in forms]


def _known_to(
    system: PromotionSystem, dtype: type[dt.Shaped] | type[dt.PythonScalar]
) -> type[dt.Shaped] | type[dt.PythonScalar]:
    if issubclass(dtype, dt.PythonScalar) or system.has(dtype):
        return dtype
    return dtype.strong


@record
class Elsewhere:
    """The result of an operation under another system: concrete dtypes, or no dtype and the reason of the error."""

    system: str
    results: DTypeSet
    reason: str | None = None


def under(system: PromotionSystem, operation: str, sides: Sequence[Side]) -> Elsewhere:
    """The dtypes of an operation under `system`: all that some dtypes and forms of its sides can give.

    An operation is rejected if it raises for all combinations, because of the dtypes or the value of an int literal.
    """
    results: set[type[dt.Shaped]] = set()
    reason = None
    for operands in product(*(side.operands(system) for side in sides)):
        refusal = _literal_refused(system, operation, sides, operands)
        if refusal is None:
            outcome = resolve_sets(system, operation, *operands)
            results.update(dtype.strong for dtype in outcome.results)
            refusal = outcome.refusals[0] if outcome.refusals else None
        if reason is None and refusal is not None:
            reason = refusal.reason
    return Elsewhere(system.name, frozenset(results), None if results else reason)


def _literal_refused(
    system: PromotionSystem, operation: str, sides: Sequence[Side], operands: Sequence[frozenset[Operand]]
) -> Refusal | None:
    """The refusal if no dtype of the array beside an int literal can hold it."""
    if len(sides) != 2:
        return None
    literals = [side.literal for side in sides]
    for position, literal in enumerate(literals):
        if literal is None or literals[1 - position] is not None:
            continue
        refusals = [
            system.check_literal(operation, operand, literal, reflected=position == 0)
            for operand in sorted(operands[1 - position], key=lambda operand: operand.name)
        ]
        if all(refusal is not None for refusal in refusals):
            return refusals[0]
    return None


def differing(
    results: DTypeSet, systems: Iterable[PromotionSystem], operation: str, sides: Sequence[Side]
) -> tuple[Elsewhere, ...]:
    """The systems under which the operation certainly gives a dtype that is not in `results`."""
    found = (under(system, operation, sides) for system in systems)
    own = {dtype.strong for dtype in results}
    return tuple(elsewhere for elsewhere in found if own.isdisjoint(elsewhere.results))


def portable_cast(
    own: PromotionSystem,
    results: DTypeSet,
    elsewhere: Sequence[Elsewhere],
    systems: Sequence[PromotionSystem],
    operation: str,
    sides: Sequence[Side],
) -> Remedy:
    """The cast after which all systems give one dtype, preferably the one that `own` gives now. Each cast is tried
    first.
    """
    everywhere = (own, *systems)
    for target in _targets(own, results, elsewhere, operation, sides):
        for cast, remedy in casts(own, operation, sides, target):
            given = {under(system, operation, cast).results for system in everywhere}
            if len(given) == 1 and len(next(iter(given))) == 1:
                return remedy
    return Remedy(NO_CAST)


def _targets(
    own: PromotionSystem, results: DTypeSet, elsewhere: Sequence[Elsewhere], operation: str, sides: Sequence[Side]
) -> list[type[dt.Shaped]]:
    """The dtypes to cast to, best first: the result, the results elsewhere, an operand's, any that keeps the values,
    any other dtype of a kind that an operand has.
    """
    wanted: list[type[dt.Shaped]] = []
    if operation not in COMPARISONS:
        wanted += _ordered(results)
        wanted += [dtype for each in elsewhere for dtype in _ordered(each.results)]
    operands = _ordered(dtype for side in sides for dtype in side.dtypes if issubclass(dtype, dt.Shaped))
    wanted += operands
    wanted += [dtype for dtype in own.dialect.suggested if all(holds(dtype, operand) for operand in operands)]
    wanted += [dtype for dtype in reversed(own.dialect.suggested) if any(dtype.kind == o.kind for o in operands)]
    return list(dict.fromkeys(dtype.strong for dtype in wanted if own.has(dtype.strong)))


def _ordered(dtypes: Iterable[type[dt.Shaped]]) -> list[type[dt.Shaped]]:
    return sorted(dtypes, key=lambda dtype: (dtype.kind, dtype.bits, dtype.name))


def casts(
    own: PromotionSystem, operation: str, sides: Sequence[Side], target: type[dt.Shaped]
) -> Iterator[tuple[tuple[Side, ...], Remedy]]:
    """The sides after a cast of one operand to `target`, then of all of them, each with the cast.

    The target of an in-place operation keeps its dtype.
    """
    fixed = 1 if operation in IN_PLACE and own.in_place else 0
    movable = [place for place, side in enumerate(sides) if place >= fixed and _is_other_array(side, target)]
    name = "y" if fixed else "x"
    for place in movable:
        cast = tuple(replace(side, dtypes=frozenset({target})) if i == place else side for i, side in enumerate(sides))
        is_kept = all(_keeps(target, each) for each in sides[place].dtypes)
        sentence = f"cast {_whom(sides, place)} with {own.dialect.cast(target, name)}"
        yield cast, Remedy(sentence, OperandCast(place, target) if is_kept else None)
    if len(movable) > 1:
        both = tuple(replace(s, dtypes=frozenset({target})) if i in movable else s for i, s in enumerate(sides))
        yield both, Remedy(f"cast the operands with {own.dialect.cast(target, name)}")


def _keeps(target: type[dt.Shaped], source: dt.OperandType) -> bool:
    return issubclass(source, dt.Shaped) and keeps_values(target, source)


def _is_other_array(side: Side, target: type[dt.Shaped]) -> bool:
    return any(issubclass(dtype, dt.Shaped) and dtype is not target for dtype in side.dtypes)


def _whom(sides: Sequence[Side], place: int) -> str:
    """The name of one operand in a message: its dtype if the operands differ, else its place."""
    if len(sides) == 1:
        return "it"
    if len(sides[place].dtypes) > 1 or sides[0].dtypes == sides[1].dtypes:
        return "the right operand" if place else "the left operand"
    (dtype,) = sides[place].dtypes
    return f"the {spelled(dtype)} operand"
