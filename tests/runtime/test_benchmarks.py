"""Small arrays cost little more than the bare NumPy call; the benchmarks of large ones compute what they claim."""

from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import promo_runtime as pr
from tests.runtime.backends import host_cupy
from tests.runtime.benchmarks import gpu, large
from tests.runtime.benchmarks.chart import svg
from tests.runtime.benchmarks.measuring import FUNCTIONS, OPERATORS, SMALL, Row, measured

#: Microseconds more than the bare NumPy call for 10 elements.
# Ten times the limits of the benchmark command: other tests share the machine, and only a gross slowdown should fail
# here.
LIMITS = [(FUNCTIONS, 10.0), (OPERATORS, 15.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "limit"), LIMITS)
def test_small_arrays_stay_within_the_limit(pairs: Mapping[str, str], limit: float) -> None:
    slow = dict(pairs)
    for _ in range(4):  # a busy machine may disturb all rounds of a row
        slow = {row.ours: row.numpy for row in measured("jax", slow, SMALL) if row.over > limit}
    assert slow == {}


def test_a_slow_row_is_found() -> None:
    assert Row("jax", "slow", "fast", seconds=3e-6, seconds_numpy=1e-6).over > 1.5


def test_contenders_compute_the_same() -> None:
    for case in large.cases(size=1000):
        ours = case.ours()
        for name, call in case.others.items():
            if name not in ("PyTorch", "JAX"):
                np.testing.assert_allclose(ours.astype(np.float64), call().astype(np.float64), 1e-6, err_msg=name)
        assert set(case.limits) <= {*case.others, "PyTorch", "JAX"}


def test_outcomes_are_drawn_and_missed_goals_are_named() -> None:
    case = large.Case("a + b < c", lambda: np.ones(9), {"other": lambda: np.ones(9)}, {"other": 0.5})
    outcome = large.Outcome(case, {"promo_runtime": 2.0, "other": 3.0}, {}, 0)
    assert outcome.missed() == ["other"]
    assert large.Outcome(case, {"promo_runtime": 1.0, "other": 3.0}, {}, 0).missed() == []
    drawn = ElementTree.fromstring(svg([outcome, large.measured(case, rounds=1)], "times"))
    assert len(drawn.findall("{*}rect")) == 5


@pytest.mark.parametrize("case", gpu.CASES, ids=lambda case: case.operation)
def test_handwritten_kernels_agree_with_ours(case: gpu.Case, tmp_path: Path) -> None:
    host_cupy.compiler()
    cupy = host_cupy.module(tmp_path)
    kernel = cupy.ElementwiseKernel(case.inputs, case.output, case.operation, "by_hand", preamble=case.preamble)
    names = [each.split()[0] for each in (*case.inputs.split(", "), case.output)]
    one, other = (np.linspace(-9, 9, 256).astype(each) for each in (case.one, case.other))
    expected = pr.namespace(case.system).add(one, other)
    found = np.empty_like(expected)
    kernel(*(cupy.asarray(each.view(name)) for each, name in zip((one, other, found), names, strict=True)))
    assert found.tobytes() == expected.tobytes()
