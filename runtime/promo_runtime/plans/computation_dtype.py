"""Resolve an operation: find the dtypes of the computation and of the result, or raise the refusal."""

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand, Refusal, Result
from promo_mypy.rules.operations import COMPARISONS, IN_PLACE
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems.numpy import NumpySystem
from promo_runtime.errors import PromotionError


def accepted(answer: Result) -> type[dt.Shaped]:
    """The dtype. Raises PromotionError for a refusal."""
    if isinstance(answer, Refusal):
        raise PromotionError(answer)
    return answer


def given_as(system: PromotionSystem, dtype: type[dt.Shaped]) -> type[dt.Shaped]:
    """The dtype of an array for a requested dtype; it is narrower if the library lacks wide dtypes.

    Raises PromotionError for a dtype that the library lacks.
    """
    return accepted(system.promote(Operand(dtype)))


def computed_in(
    system: PromotionSystem, operation: str, operands: tuple[Operand, ...], result: type[dt.Shaped]
) -> type[dt.Shaped]:
    """The dtype to which all operands are cast, for an operation (not in place) that the system accepts.

    It is the dtype of the result, except for comparisons (the promotion of the operands) and abs (the operand's dtype).
    """
    if operation != "abs" and operation not in COMPARISONS:
        return result.strong
    answers = [system.promote(*operands)]
    if len(operands) == 2:  # NumPy adds dtypes that result_type does not promote
        answers.append(system.resolve("add", *operands))
    # TensorFlow compares operands that it does not add: bools, and a number on the left. The arrays then have one
    # dtype.
    answers += [operand.dtype for operand in operands if issubclass(operand.dtype, dt.Shaped)]
    return next(answer.strong for answer in answers if not isinstance(answer, Refusal))


def is_native(system: PromotionSystem, operation: str) -> bool:
    """Whether the system is NumPy's own, so that NumPy's choice of loops follows the rules.

    For NumPy 1.x only comparisons are: they have always been exact.
    """
    if not isinstance(system, NumpySystem):
        return False
    return system.name != "numpy-legacy" or operation in COMPARISONS


def plainly(operation: str) -> str:
    """The plain operation of an operation in place or not."""
    return IN_PLACE.get(operation, operation)
