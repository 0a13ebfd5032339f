"""Paddle's functions of two tensors, and the promotion rule of each.

Source: the table "The Scope of Type Promotion" of paddlepaddle.org.cn's guide "Introduction to Data Type Promotion"
(Paddle 2.6 and later), row by row; it lists huber_loss twice.
"""

from typing import Final, Literal

from promo_mypy.rules.records import record

Rule = Literal["common", "logic", "divide", "-"]
"""common: the promoted dtype; logic: bool; divide: the promoted dtype, float32 for bool and integers; -: none."""


@record
class Api:
    """A row of the document's table."""

    name: str
    tensors: Rule
    """Between tensors."""
    scalars: Rule
    """Between a tensor and a Python scalar. Most functions reject one in 3.3; their operators still follow the rule."""
    numbers: bool = False
    """Whether the function itself accepts a Python scalar."""


#: Source: running the functions of Paddle 3.3.
_TAKE_NUMBERS: Final = frozenset({"floor_divide", "pow", "remainder", "where"})


def _apis(names: str, tensors: Rule, scalars: Rule) -> tuple[Api, ...]:
    return tuple(Api(name, tensors, scalars, name in _TAKE_NUMBERS) for name in names.split())


APIS: Final = (
    *_apis("add subtract multiply", "common", "common"),
    *_apis("divide", "common", "divide"),
    *_apis("floor_divide pow", "common", "common"),
    *_apis("equal not_equal less_than less_equal greater_than greater_equal", "logic", "logic"),
    *_apis("logical_and logical_or logical_xor", "logic", "logic"),
    *_apis("bitwise_and bitwise_or bitwise_xor", "-", "common"),
    *_apis("where", "common", "common"),
    *_apis("fmax fmin logaddexp maximum minimum", "common", "-"),
    *_apis("remainder", "common", "common"),
    *_apis("huber_loss nextafter atan2 poisson_nll_loss l1_loss huber_loss mse_loss", "common", "-"),
)
"""The 32 rows, in the document's order."""
