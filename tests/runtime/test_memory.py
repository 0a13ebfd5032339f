"""Many calls leak no memory, and threads do not disturb each other."""

import gc
import threading
import tracemalloc
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.systems import get_system
from tests.runtime.functions.function_samples import arity, offered, ours, shape
from tests.runtime.samples import array, own


def mixed(number: int) -> None:
    """Call all functions of five systems one after another, on changing dtypes and shapes."""
    calls = 0
    while calls < number:
        for system in ("numpy", "jax", "torch", "array-api", "jax-x32"):
            dtypes = [dtype for dtype in own(get_system(system)) if dtype.kind in "if" and dtype.bits >= 32]
            for place, (name, function) in enumerate(offered(system)):
                dtype = dtypes[(place + calls) % len(dtypes)]
                with suppress(TypeError):  # rejected
                    ours(system, name, [array(system, dtype, shape(name))] * arity(function))
                calls += 1
                if calls >= number:
                    return


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_a_thousand_mixed_calls_leave_no_growth_in_memory() -> None:
    for _ in range(4):  # warms up the plans of all dtypes and NumPy's caches
        mixed(2000)
    gc.collect()
    tracemalloc.start()
    mixed(1000)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    mixed(1000)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 20_000  # bytes


def test_threads_have_systems_of_their_own() -> None:
    failures: list[Any] = []
    start = threading.Barrier(8)
    expected = {"jax": "float32", "numpy": "float64", "torch": "float32", "jax-x32": "float32"}

    def run(system: str) -> None:
        start.wait()
        for _ in range(200):
            with pr.system(system):
                a = pr.asarray([1, 2], dtype="int32")
                result = np.sin(a) + a.max()
                if (a.system, result.dtype.name) != (system, expected[system]):
                    failures.append((system, a.system, result.dtype))

    threads = [threading.Thread(target=run, args=(system,)) for system in [*expected] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
