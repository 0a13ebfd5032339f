"""Small arrays cost little more than the bare NumPy call, and large ones nothing."""

from collections.abc import Mapping

import pytest

from tests.runtime.benchmarks.measuring import FUNCTIONS, OPERATORS, SMALL, Row, measured

#: Microseconds over the bare NumPy call for 10 elements.
LIMITS = [(FUNCTIONS, 1.0), (OPERATORS, 1.5)]


@pytest.mark.parametrize(("pairs", "limit"), LIMITS)
def test_small_arrays_stay_within_the_limit(pairs: Mapping[str, str], limit: float) -> None:
    slow = dict(pairs)
    for _ in range(4):  # a busy machine may disturb all rounds of a row
        slow = {row.ours: row.numpy for row in measured("jax", slow, SMALL) if row.over > limit}
    assert slow == {}


def test_a_slow_row_is_seen() -> None:
    assert Row("jax", "slow", "fast", seconds=3e-6, seconds_numpy=1e-6).over > 1.5
