"""Elementwise functions of a namespace: find the cached plan for the operands and call it.

A key holds `call_keys.kind` of each operand, written out here: this look-up is the only overhead of a call over
NumPy's.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from promo_runtime.array.array import Array
from promo_runtime.array.space import Space
from promo_runtime.plans.call_keys import BY_CLASS, other_kind
from promo_runtime.plans.elementwise_plans import Plan, plan

Unary = Callable[[Any], Any]
Binary = Callable[[Any, Any], Any]


def unary(space: Space, operation: str) -> Unary:
    """The function of one array. It raises PromotionError, and TypeError for other values."""
    plans: dict[object, Plan] = {}
    find, ndarray, wrapper = plans.get, np.ndarray, Array

    def function(x: Any, /) -> Any:
        cls = x.__class__
        key: object = (
            x._type if cls is wrapper else (x.dtype if x.ndim else (x.dtype,)) if cls is ndarray
            else cls if cls in BY_CLASS else other_kind(x)
        )  # fmt: skip
        found = find(key)
        if found is None:
            found, lasting = plan(space, operation, x)
            if lasting:
                plans[key] = found
        return found(x)

    return function


def binary(space: Space, operation: str) -> Binary:
    """The function of two arrays, or of an array and a number; in place for "iadd" and similar operations.

    It raises PromotionError, OutOfRangeError for a Python int, TypeError for operands of other kinds.
    """
    plans: dict[tuple[object, object], Plan] = {}
    find, ndarray, wrapper = plans.get, np.ndarray, Array

    def function(x1: Any, x2: Any, /) -> Any:
        one, two = x1.__class__, x2.__class__
        key = (
            x1._type if one is wrapper else (x1.dtype if x1.ndim else (x1.dtype,)) if one is ndarray
            else one if one in BY_CLASS else other_kind(x1),
            x2._type if two is wrapper else (x2.dtype if x2.ndim else (x2.dtype,)) if two is ndarray
            else two if two in BY_CLASS else other_kind(x2),
        )  # fmt: skip
        found = find(key)
        if found is None:
            found, lasting = plan(space, operation, x1, x2)
            if lasting:
                plans[key] = found
        return found(x1, x2)

    return function
