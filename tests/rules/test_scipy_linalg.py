"""The table of scipy.linalg, compared with SciPy for every dtype that it has."""

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around import scipy_linalg
from tests.needed import imported

DTYPES = ("int32", "int64", "uint32", "uint64", "float32", "float64", "complex64", "complex128")
#: Names -> arrays for which the functions have a result.
ARGUMENTS = {
    "inv pinv cholesky orth expm eigvalsh svdvals eigvals eigh svd qr lu": ([[2, 1], [1, 2]],),
    "null_space": ([[1, 1], [1, 1]],),
    "solve solve_triangular": ([[2, 1], [1, 2]], [[2, 1], [1, 2]]),
    "solve_discrete_lyapunov": ([[0, 0], [0, 0]], [[2, 1], [1, 2]]),
    "solve_discrete_are": ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[2, 1], [1, 2]], [[1, 0], [0, 1]]),
}
CASES = [(name, arrays) for names, arrays in ARGUMENTS.items() for name in names.split()]


def _executed(function: Any, arrays: list[Any]) -> tuple[str, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = function(*arrays)
    return tuple(str(each.dtype) for each in (result if isinstance(result, tuple) else (result,)))


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_a_row_has_the_dtypes_of_scipy(name: str, arguments: tuple[Any, ...]) -> None:
    function = getattr(imported("scipy.linalg"), name)
    row = scipy_linalg.find(f"scipy.linalg.{name}")
    assert row is not None
    for dtypes in itertools.product(DTYPES, repeat=min(len(arguments), 2)):
        given = [*dtypes, *[dtypes[-1]] * (len(arguments) - len(dtypes))]
        arrays = [np.array(each, dtype) for each, dtype in zip(arguments, given, strict=True)]
        expected = scipy_linalg.results(row, [dt.DTYPES[each] for each in given])
        assert expected is not None
        assert _executed(function, arrays) == tuple(each.name for each in expected), given


def test_every_row_is_compared() -> None:
    assert {f"scipy.linalg.{name}" for name, _ in CASES} == set(scipy_linalg._ROWS)


def test_other_dtypes_and_functions_are_left_out() -> None:
    row = scipy_linalg.find("scipy.linalg.inv")
    assert row is not None
    assert scipy_linalg.results(row, [dt.float16]) is None
    assert scipy_linalg.find("scipy.linalg.sqrtm") is None
