"""Operators of times and durations: the table of the rules, and every pair executed by NumPy."""

import operator
from itertools import product

import numpy as np
import pytest

from promo_mypy.rules import times

#: Kind -> an array of it, that is no divisor of zero.
ARRAYS = {
    "M": np.array(["2020-01-01", "2020-01-02"], "datetime64[D]"),
    "m": np.array([1, 2], "timedelta64[s]"),
    **{kind: np.ones(2, code) for kind, code in {"b": "?", "i": "i4", "u": "u4", "f": "f4", "c": "c8"}.items()},
}
FUNCTIONS = {"and": "and_", "or": "or_"}


@pytest.mark.parametrize("operation", sorted(times.OPERATIONS))
def test_what_the_table_rejects_raises(operation: str) -> None:
    function = getattr(operator, FUNCTIONS.get(operation, operation))
    wrong = []
    for (left, one), (right, other) in product(ARRAYS.items(), repeat=2):
        if {left, right}.isdisjoint(times.NAMES):
            assert not times.is_rejected(operation, left, right)
            continue
        try:
            function(one, other)
            raised = False
        except TypeError:
            raised = True
        if raised != times.is_rejected(operation, left, right):
            wrong.append(left + right)
    assert wrong == []


def test_what_the_table_rejects_for_the_widest_integers_raises() -> None:
    others = {**ARRAYS, "u": np.ones(2, "u8")}
    for operation, kind in product(sorted(times.OPERATIONS), times.NAMES):
        function = getattr(operator, FUNCTIONS.get(operation, operation))
        for left, right in ((kind, "u"), ("u", kind)):
            if times.is_rejected(operation, left, right):
                with pytest.raises(TypeError):
                    function(others[left], others[right])


def test_other_operations_are_not_rejected() -> None:
    assert not times.is_rejected("eq", "M", "i")
