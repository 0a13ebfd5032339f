"""Every function of every namespace on every dtype: the executed dtype is that of the rule and of the library."""

from functools import partial
from itertools import product

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.systems import get_system
from promo_runtime.functions.standard_functions import STANDARD
from promo_runtime.numpy_dtypes import dtype_of
from tests.needed import needs
from tests.runtime.functions.function_samples import arity, offered, ours, parts, shape, theirs
from tests.runtime.functions.library_calls import Comparison, executed
from tests.runtime.samples import own, values
from tests.slow_tests import slow_but

pytestmark = pytest.mark.filterwarnings("ignore")

#: Number of calls that give a dtype, so that a lost function is noticed.
EXECUTED = {
    "numpy": 3606, "dask": 2729, "jax": 4490, "jax-x32": 3509, "jax-strict": 4416, "torch": 2566, "array-api": 956,
    "option-0": 3691, "option-1": 3731, "option-2": 3747, "option-3": 3973,
}  # fmt: skip
#: Functions that the libraries lack.
LACKING = {
    "torch": {"vecdot", "linalg.vecdot"},
    "dask": {
        "sort", "argsort", "vecdot",
        *(f"linalg.{name}" for name in (
            "vecdot", "cross", "det", "svdvals", "eigvalsh", "slogdet", "eigh", "eig", "eigvals", "matrix_power",
            "matrix_rank", "pinv",
        )),
    },
}  # fmt: skip
#: System -> its library, and how many dtypes and values were compared, how many calls both reject, ...
LIBRARIES = {
    "numpy": ("numpy", {"dtype": 14625, "refused": 1393, "values": 14411}),
    "torch": ("torch", {"dtype": 5545, "no kernel": 1347, "refused": 4495, "values": 5444}),
    "dask": ("dask", {"dtype": 2584, "no kernel": 30, "refused": 97}),
    "array-api": ("array_api_strict", {"dtype": 1478, "refused": 2609, "undefined": 513, "values": 1377}),
}


@pytest.mark.parametrize("system", EXECUTED)
def test_the_whole_standard_is_offered(system: str) -> None:
    assert set(STANDARD) - {name for name, _ in offered(system)} == LACKING.get(system, set())


def test_unmeasured_functions_are_not_offered() -> None:
    for system in ("tensorflow", "paddle", "numpy-legacy", "jax-lax"):
        assert {name for name, _ in offered(system)} == {name for name, each in STANDARD.items() if each.kept}
        assert not hasattr(pr.namespace(system), "sum")


def test_cupys_rules_are_executed_as_far_as_they_are_measured() -> None:
    assert all_executed("cupy") >= 3100


@pytest.mark.parametrize("system", slow_but(["numpy", "jax", "torch", "option-3"], EXECUTED))
def test_every_function_executed_on_every_dtype(system: str) -> None:
    assert all_executed(system) == EXECUTED[system]


def all_executed(system: str) -> int:
    """The number of calls that gave a dtype, which is that of the rule."""
    count = 0
    for name, function in offered(system):
        for dtype in own(get_system(system)):
            result = executed(system, name, function, (dtype,))
            if result is None or isinstance(result, Exception):
                continue
            count += 1
            for part in parts(result):
                assert dtype_of(np.asarray(part).dtype) is part.dtype, (name, dtype)
            if not dtype.weak and not function.kept:
                plain = ours(system, name, [values(dtype, shape(name))] * arity(function))
                assert [each.dtype for each in parts(plain)] == [np.asarray(each).dtype for each in parts(result)]
    return count


@pytest.mark.slow
@pytest.mark.parametrize("system", LIBRARIES)
def test_the_library_gives_the_same_for_every_pair(system: str) -> None:
    library, seen = LIBRARIES[system]
    needs(library)
    comparison, dtypes = Comparison(system), own(get_system(system))
    for name, function in offered(system):
        if not function.kept:
            count = arity(function)
            # Dask's declared dtypes are compared pair by pair in tests/rules/functions; here nothing is computed.
            several = product(dtypes, dtypes) if system != "dask" else zip(dtypes, dtypes[1:] + dtypes[:1], strict=True)
            for chosen in several if count == 2 else [(dtype,) * count for dtype in dtypes]:
                comparison.compare(name, function, chosen, partial(theirs, system, function))
    assert comparison.wrong == []
    assert comparison.seen == seen


def test_a_wrong_dtype_and_a_wrong_value_would_be_found() -> None:
    comparison = Comparison("numpy")
    for wrong in (lambda arrays: np.sin(arrays[0]).astype(np.float64), lambda arrays: np.cos(arrays[0])):
        comparison.compare("sin", STANDARD["sin"], (pr.float32,), wrong)
    comparison.compare("sin", STANDARD["sin"], (pr.float32,), lambda arrays: np.sin(arrays[0], dtype="i"))
    assert len(comparison.wrong) == 3
