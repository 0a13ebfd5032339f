"""Look up dtypes in the rules, without computing: `result_type`, `promote_types`, `can_promote`."""

from typing import Any

from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operands import Operand, Refusal
from promo_runtime.array.array import Array
from promo_runtime.array.space import Space
from promo_runtime.context.systems_in_use import SystemLike
from promo_runtime.namespaces.namespace import namespace
from promo_runtime.numpy_dtypes import DTypeLike, read_dtype
from promo_runtime.plans.arguments import operand_of
from promo_runtime.plans.computation_dtype import accepted
from promo_runtime.plans.elementwise_plans import check_systems


def result_type(*operands: Any, system: SystemLike | None = None) -> type[Shaped]:
    """The dtype that arrays, numbers and dtypes promote to together, weak if the system says so.

    The system is the given one, else the system of the first `Array`, else the one in use. Raises PromotionError,
    TypeError for a value that is neither an array nor a dtype, UnknownDtypeError for an unknown name.
    """
    return accepted(_space(operands, system).system.promote(*map(operand_of, operands)))


def promote_types(*dtypes: DTypeLike, system: SystemLike | None = None) -> type[Shaped]:
    """The dtype that arrays of these dtypes promote to. Raises PromotionError, UnknownDtypeError."""
    return accepted(namespace(system).system.promote(*(Operand(read_dtype(dtype)) for dtype in dtypes)))


def can_promote(*operands: Any, system: SystemLike | None = None) -> bool:
    """Whether `result_type` has an answer. It raises the same exceptions, except PromotionError."""
    return not isinstance(_space(operands, system).system.promote(*map(operand_of, operands)), Refusal)


def _space(operands: tuple[Any, ...], system: SystemLike | None) -> Space:
    arrays = [operand for operand in operands if isinstance(operand, Array)]
    space = arrays[0]._type.space if arrays and system is None else namespace(system)
    check_systems(space, tuple(arrays))
    return space
