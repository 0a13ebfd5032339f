"""Answer a call with unknown arrays, if the result is the same for arrays of every dtype: `torch.argmax(x)`.

Only for libraries whose functions accept nothing but their own arrays and Python numbers in the place of an array.
NumPy also accepts arrays of strings and of Python objects, which the rules do not have.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import UNKNOWN, Argument, Arguments, DtypeArgument, Value
from promo_mypy.rules.functions.language.protocols import Answer
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.promotion import PromotionSystem

_LIBRARIES: Final = frozenset({"jax", "torch"})
_MOST_UNKNOWN: Final = 2
_FEWEST_ACCEPTED: Final = 3
"""Where fewer dtypes are accepted, the other arguments ask for a dtype. The array may then be cast on its way, as in an
autocast region."""

#: For most functions the results for two of these differ, so that nothing else is asked.
_TELLING: Final = (Operand(dt.float32), Operand(dt.float64), Operand(dt.int32))
_NO_ARRAYS: Final = (Value(None), DtypeArgument(dt.int8), DtypeArgument(dt.float16))


def answer_for_all(
    system: PromotionSystem, library: str, arguments: Arguments, answer: Callable[[Arguments], Answer | str]
) -> Answer:
    """What `answer` gives for every array in the place of the unknown arguments; None if that differs.

    An unknown argument may also be None or a dtype. If it is an option, a rule that reads it has no answer for arrays.
    """
    places = [index for index, each in enumerate(arguments.given) if each == UNKNOWN]
    if library not in _LIBRARIES or not 0 < len(places) <= _MOST_UNKNOWN:
        return None
    found: Answer = None
    accepted: list[tuple[Operand, ...]] = []
    for choice in _choices(system, len(places)):
        each = answer(_with(arguments, dict(zip(places, choice, strict=True))))
        if isinstance(each, str):
            continue
        if each is None or (found is not None and each != found):
            return None
        found = each
        accepted.append(choice)
    if any(len(set(column)) < _FEWEST_ACCEPTED for column in zip(*accepted, strict=True)):
        return None
    others = (answer(_with(arguments, dict.fromkeys(places, each))) for each in _NO_ARRAYS)
    return found if all(each is None or isinstance(each, str) or each == found for each in others) else None


@lru_cache(maxsize=8)
def _choices(system: PromotionSystem, count: int) -> Sequence[tuple[Operand, ...]]:
    """Every choice of `count` operands. Choices of one dtype come first."""
    operands = system.operands
    return tuple(
        dict.fromkeys([*((each,) * count for each in _TELLING if each in operands), *product(operands, repeat=count)])
    )


def _with(arguments: Arguments, places: dict[int, Argument]) -> Arguments:
    return arguments.replaced([places.get(index, each) for index, each in enumerate(arguments.given)])
