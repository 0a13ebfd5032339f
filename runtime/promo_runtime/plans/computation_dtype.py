"""An operation on operands as the dtypes to compute in and to give, or the exception that the refusal is."""

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
    """The dtype of the array that the library makes for a dtype: narrower where it has no wide ones.

    Raises PromotionError for one that it lacks.
    """
    return accepted(system.promote(Operand(dtype)))


def computed_in(
    system: PromotionSystem, operation: str, operands: tuple[Operand, ...], result: type[dt.Shaped]
) -> type[dt.Shaped]:
    """The dtype that all operands are cast to, for an operation (not in place) that the system accepts.

    It is the result's, but for comparisons (the dtype that the operands promote to) and for abs (the operand's).
    """
    if operation != "abs" and operation not in COMPARISONS:
        return result.strong
    answers = [system.promote(*operands)]
    if len(operands) == 2:  # NumPy adds dtypes that its result_type keeps apart
        answers.append(system.resolve("add", *operands))
    # TensorFlow compares what it does not add: bools, and a number on the left. Then the arrays are of one dtype.
    answers += [operand.dtype for operand in operands if issubclass(operand.dtype, dt.Shaped)]
    return next(answer.strong for answer in answers if not isinstance(answer, Refusal))


def is_native(system: PromotionSystem, operation: str) -> bool:
    """Whether the system is NumPy's own, so that its choice of loops is the rule.

    Of NumPy 1.x only the comparisons are: they have always been exact.
    """
    if not isinstance(system, NumpySystem):
        return False
    return system.name != "numpy-legacy" or operation in COMPARISONS


def plainly(operation: str) -> str:
    """The operation that is performed, in place or not."""
    return IN_PLACE.get(operation, operation)
