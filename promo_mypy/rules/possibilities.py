"""Infer all dtypes that an operation can give if each operand has a set of possible dtypes (categories, unions)."""

from functools import lru_cache
from itertools import product

from promo_mypy.rules.dtypes import PythonScalar, Shaped
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record


@record
class Outcome:
    """The dtypes that the combinations of operands give, and the combinations that the library rejects."""

    results: frozenset[type[Shaped]]
    refusals: tuple[Refusal, ...]


@lru_cache(maxsize=1024)
def operands(dtypes: frozenset[type[Shaped] | type[PythonScalar]], form: Form) -> frozenset[Operand]:
    """Operands of that form, one for each dtype. They are cached, so that their hashes are computed once."""
    return frozenset(Operand(dtype, form) for dtype in dtypes)


@lru_cache(maxsize=4096)
def resolve_sets(system: PromotionSystem, operation: str, *operands: frozenset[Operand]) -> Outcome:
    """`system.resolve` over every combination of one operand from each set.

    Refusals are sorted by the operands' names, so that messages do not change from run to run. An empty
    set gives an outcome without results.
    """
    ordered = [sorted(choices, key=lambda o: (o.name, o.form.value)) for choices in operands]
    answers = [system.resolve(operation, *combination) for combination in product(*ordered)]
    return Outcome(
        frozenset(answer for answer in answers if not isinstance(answer, Refusal)),
        tuple(answer for answer in answers if isinstance(answer, Refusal)),
    )
