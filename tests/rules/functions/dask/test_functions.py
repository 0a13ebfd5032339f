"""Every function, method and attribute of Dask's registry, called for every admissible dtype.

The declared dtype of an array is compared if the array can be computed, and with the computed dtype. Differences are
listed with their reasons; each must occur. The report is printed.
"""

from dataclasses import replace
from operator import attrgetter
from types import CodeType

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.systems import get_system
from tests.needed import imported
from tests.rules.functions.dask.calls import CALLS, METHODS, NOT_CALLED, NOT_CALLED_METHODS
from tests.rules.functions.measuring import DTYPES, NUMBERS, Laboratory, Report, calls_of, sampled, written
from tests.rules.functions.out_arrays import OutArrays

dask = imported("dask")
da = imported("dask.array")

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of NumPy about divisions and casts

LIBRARY = library("dask")
SCALARS = {bool: "py_bool", int: "py_int", float: "py_float", complex: "py_complex"}

#: Functions and methods that call a function of the caller.
OF_THE_CALLER = "map_blocks|map_overlap|blockwise|reduction|apply_along_axis|fromfunction|from_delayed"

#: A regular expression of "call dtypes: measured -> ours" -> why the rules differ.
DIFFERENCES = {
    r"dask\.array\.(fix|i0)\(x\) complex.*: object -> !": "Dask declares Python objects where NumPy refuses, which it "
    "only asks to compute",
    r"dask\.array\.is(neg|pos)inf\(x\) complex.*: bool -> !": "Dask declares a bool where NumPy refuses, which it only "
    "asks to compute",
    r"(da\.round\(x, 2\)|x\.round\(1\)) bool: .*": "NumPy scales by a power of ten, which it cannot store; without "
    "decimals Dask declares a bool",
    r"x\.view\(dtype=d\) .*: !ValueError -> .*": "the shape decides whether the bytes are whole items",
    r"da\.percentile\(.*: \w+, computed float64 -> \w+": "Dask declares the dtype of the array, and computes float64",
    r"da\.select\(.*: \w+, computed (int64|float64) -> \w+": "Dask declares the dtype of the choices, and computes"
    " with the default, too",
    r"(da|dask\.array)\.(round|around)\(x\) bool: bool, computed float16 -> bool": "Dask declares a bool, and"
    " NumPy rounds to float16",
    r"da\.linalg\.lstsq\(.*float64, computed .*float32 -> .*": "Dask declares float64 for the singular values",
    rf".*\b({OF_THE_CALLER})\(.*, computed .*": "the caller names another dtype than the function gives",
    r"da\.fromfunction\(.* bool: !TypeError -> bool": "Dask counts in the dtype, and bools do not count",
    r"da\.arange\(3, dtype=d\) bool: !.*": "NumPy counts no further than two in bools: it depends on the length",
}


def dtype(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)


def value(variable: str, name: str) -> object:
    if variable == "d":
        return dtype(name)
    if name in NUMBERS:
        return NUMBERS[name]
    if variable in "mn":
        return da.from_array(np.eye(3).astype(dtype(name)), chunks=3)
    return da.from_array(np.ones(3, dtype(name)), chunks=2)


def named(result: object) -> str:
    if isinstance(result, tuple | list):
        return "|".join(map(named, result))
    if isinstance(result, np.dtype):
        return result.name
    return SCALARS.get(type(result)) or (result if hasattr(result, "dtype") else np.asarray(result)).dtype.name


def measure(code: CodeType, values: dict[str, object]) -> str:
    try:
        result = eval(code, values)
        # NumPy rejects some calls only at this point.
        (computed,) = dask.compute(result, optimize_graph=False, scheduler="synchronous")
        declared, found = named(result), named(computed)
        return declared if declared == found else f"{declared}, computed {found}"
    except (TypeError, ValueError, OverflowError, AttributeError, NotImplementedError) as error:
        return f"!{type(error).__name__}"


LABORATORY = Laboratory(
    get_system("dask"), "dask.array.Array", (("da", "dask.array"), ("dask", "dask")),
    {"da": da, "dask": dask, "np": np}, DTYPES, value, measure, DIFFERENCES,
    sampled,
)  # fmt: skip


@pytest.fixture(scope="module")
def report() -> Report:
    functions = calls_of(LIBRARY.functions, CALLS, NOT_CALLED, "dask", under="array.")
    return LABORATORY.report("Dask", functions, written(METHODS).items())


def test_dask_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    report.show(capsys)
    assert report.differences == []
    assert report.rows > 340
    assert report.cells > 8_000


def test_dask_agrees_about_arrays_for_results(capsys: pytest.CaptureFixture[str]) -> None:
    functions = calls_of(LIBRARY.functions, CALLS, NOT_CALLED, "dask", under="array.")
    laboratory = replace(LABORATORY, expected={}, dtypes=("bool", "int64", "float32"))
    out_arrays = OutArrays(laboratory, lambda shape, name: da.zeros(shape, dtype=dtype(name), chunks=2))
    report = out_arrays.report("Dask, out=", functions)
    report.show(capsys)
    assert report.differences == []
    assert report.rows > 100


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0


def test_every_row_exists() -> None:
    missing = []
    for name in LIBRARY.functions:
        try:
            attrgetter(name)(dask)
        except AttributeError:
            missing.append(name)
    assert missing == []


def test_every_method_is_called() -> None:
    members = LIBRARY.methods.keys() | LIBRARY.shared_methods.keys() | LIBRARY.attributes.keys()
    assert members - written(METHODS).keys() == set(NOT_CALLED_METHODS.split())
