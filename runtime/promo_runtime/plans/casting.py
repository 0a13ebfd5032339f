"""Casts that the array API standard leaves undefined, and array-api-strict rejects."""

from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem


def no_real_part(system: PromotionSystem, source: type[Shaped], target: type[Shaped]) -> Refusal:
    """The refusal of `astype` from a complex dtype to a real one."""
    reason = f"{system.dialect.library} does not cast {source.name} to {target.name}, which has no imaginary part"
    return Refusal(
        system.name, "astype", (Operand(source), Operand(target)), reason, Remedy("take the part: real(x) or imag(x)")
    )


def assignment_refusal(system: PromotionSystem, target: type[Shaped], value: Operand) -> Refusal | None:
    """The refusal of `target[key] = value`; None if the two promote to the target's dtype."""
    found = system.promote(Operand(target), value)
    if isinstance(found, Refusal):
        return Refusal(system.name, "setitem", found.operands, found.reason, found.advice)
    if found is target:
        return None
    reason = f"{system.dialect.library} does not cast {value.name} to {target.name} in an assignment"
    return Refusal(
        system.name, "setitem", (Operand(target), value), reason, Remedy(f"cast it: astype(x, {target.name})")
    )
