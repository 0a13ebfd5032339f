"""The type of an array: promotion system, dtype, backend, and whether it is 0-d. There is one object for each
combination, so that a dictionary finds the plan of a call by identity.
"""

from threading import Lock
from typing import Final

from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.array.space import Space
from promo_runtime.backends import Backend


class ArrayType:
    """System, dtype, backend and form of an `Array`. Compared by identity: get it from `array_type`."""

    __slots__ = ("backend", "dtype", "operand", "other_rank", "space", "system", "zero_d")

    def __init__(self, space: Space, dtype: type[Shaped], backend: Backend, *, zero_d: bool) -> None:
        self.space: Final = space
        self.system: Final[PromotionSystem] = space.system
        self.dtype: Final = dtype
        self.backend: Final = backend
        self.zero_d: Final = zero_d
        self.operand: Final = Operand(dtype, Form.ZERO_D if zero_d else Form.ARRAY)
        self.other_rank: ArrayType = self
        """The same with the other value of `zero_d`."""


_made: Final[dict[tuple[Space, type[Shaped], Backend], ArrayType]] = {}
_making: Final = Lock()


def array_type(space: Space, dtype: type[Shaped], backend: Backend) -> ArrayType:
    """The object for n-d arrays; the object for 0-d arrays is its `other_rank`."""
    found = _made.get((space, dtype, backend))
    if found is not None:
        return found
    with _making:
        if (space, dtype, backend) not in _made:
            array, scalar = (ArrayType(space, dtype, backend, zero_d=each) for each in (False, True))
            array.other_rank, scalar.other_rank = scalar, array
            _made[space, dtype, backend] = array
        return _made[space, dtype, backend]
