"""Every function, method and attribute of NumPy's registry, executed for every admissible dtype.

Differences are listed with their reasons; each must occur. The report is printed.
"""

from dataclasses import replace
from types import CodeType

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.systems import get_system
from tests.rules.functions.expressions import MIXED
from tests.rules.functions.measuring import NUMBERS, Laboratory, Report, calls_of, written
from tests.rules.functions.numpy.calls import CALLS, METHODS, NOT_CALLED, NOT_CALLED_METHODS
from tests.rules.functions.out_arrays import OutArrays

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*:RuntimeWarning"),  # division by zero, and numbers beyond float16
    pytest.mark.filterwarnings("ignore:.*:numpy.exceptions.ComplexWarning"),
    pytest.mark.filterwarnings("ignore:.*:numpy.exceptions.RankWarning"),
    pytest.mark.filterwarnings("ignore:.*:DeprecationWarning"),  # random_integers, and 2-d vectors in cross
]

LIBRARY = library("numpy")
DTYPES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32",
    "float64", "complex64", "complex128", *(name for name in ("float128", "complex256") if hasattr(np, name)),
)  # fmt: skip
SCALARS = {bool: "py_bool", int: "py_int", float: "py_float", complex: "py_complex"}

#: A regular expression of "call dtypes: measured -> ours" -> why the rules differ.
DIFFERENCES = {
    r"(np\.(nan)?|x\.)(var|std)\((x, )?dtype=d\) bool, bool: .*": "NumPy subtracts the mean, which "
    "bools have no loop for",
    r"(np\.round\(x, 2\)|x\.round\(1\)) bool: .*": "NumPy scales by a power of ten, which it cannot store; without "
    "decimals it works",
    r"np\.(cov|corrcoef)\(x, dtype=d\) .*: !.*": "NumPy subtracts the mean in place: an integer dtype is for nobody",
    r"np\.(cov|corrcoef)\(x, y\) bfloat16, .*: float64 -> !": "NumPy accepts bfloat16, an integer and float64 in this "
    "order only",
    r"np\.(nan)?quantile\(x, y\) .*, uint64: !.*": "NumPy computes the places of elements, and has none of uint64 for "
    "floats",
    r"np\.unwrap\(x, period=4\) uint.*: !OverflowError -> .*": "NumPy has no negative half of the period",
    r"x\.view\(dtype=d\) .*: !ValueError -> .*": "the shape decides whether the bytes are whole items",
    r"np\.arange\(3, dtype=d\) bool: !.*": "NumPy counts no further than two in bools: it depends on the length",
    r"np\.\w+space\(.*\) .*\bbfloat16\b.*: !.*": "NumPy computes the steps in a dtype that does not promote "
    "with bfloat16",
}

#: Likewise for calls with `out=`.
OUT_DIFFERENCES = {
    r"np\.einsum\(.*bfloat16.*: (!(SystemError|DTypePromotionError|TypeError) -> .*|.* -> !)": "it has no loop for "
    "bfloat16, which casts from other dtypes",
    r"((x|np)\.dot|np\.linalg\.multi_dot)\(.* bfloat16\b.*: !ValueError -> .*": "the result is of objects: no rule has "
    "their dtype",
    r"np\.fft\.irfftn\(x, out=z\) b?float16, .*: !UFuncTypeError -> .*": "the axes decide about the dtype",
    r"np\.ldexp\(.*\) bfloat16, .*: !UFuncTypeError -> .*": "the dtype of the other argument decides",
    r"(x\.round\(1|np\.round\(x), out=z\) (bfloat16, float16|complex\d+, bfloat16): .*": "it scales in several steps",
    r".*std\(.*\) bfloat16, float16: float16 -> !": "the root is computed in float32",
    r"np\.(quantile|percentile)\(.*\) bfloat16, bfloat16: !TypeError -> .*": "NumPy compares with `out` as well",
}


def dtype(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)


def value(variable: str, name: str) -> object:
    if variable == "d":
        return dtype(name)
    if name in NUMBERS:
        return NUMBERS[name]
    return np.eye(3).astype(dtype(name)) if variable in "mn" else np.ones(3, dtype(name))


def named(result: object) -> str:
    if isinstance(result, tuple | list):
        return "|".join(map(named, result))
    if isinstance(result, np.dtype):
        return result.name
    return SCALARS.get(type(result)) or np.asarray(result).dtype.name


def measure(code: CodeType, values: dict[str, object]) -> str:
    try:
        return named(eval(code, values))
    except (TypeError, ValueError, OverflowError, SystemError) as error:  # einsum raises a SystemError, too
        return f"!{type(error).__name__}"


LABORATORY = Laboratory(
    get_system("numpy"), "numpy.ndarray", (("np", "numpy"),), {"np": np}, DTYPES, value, measure, DIFFERENCES
)


@pytest.fixture(scope="module")
def report() -> Report:
    functions = calls_of(LIBRARY.functions, written(CALLS, "np."), NOT_CALLED, "np")
    return LABORATORY.report("NumPy", functions, written(METHODS).items())


def test_numpy_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    report.show(capsys)
    assert report.differences == []
    assert report.rows > 500
    assert report.cells > 70_000


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0


@pytest.fixture(scope="module")
def out_report() -> Report:
    functions = calls_of(LIBRARY.functions, written(CALLS, "np."), NOT_CALLED, "np")
    laboratory = replace(LABORATORY, expected=OUT_DIFFERENCES)
    out_arrays = OutArrays(laboratory, lambda shape, name: np.zeros(shape, dtype(name)), MIXED)
    return out_arrays.report("NumPy, out=", functions, written(METHODS).items())


@pytest.mark.slow
def test_numpy_agrees_about_arrays_for_results(out_report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    out_report.show(capsys)
    assert out_report.differences == []
    assert out_report.rows > 150
    assert out_report.cells > 100_000


@pytest.mark.slow
@pytest.mark.parametrize("pattern", OUT_DIFFERENCES)
def test_each_difference_of_results_occurs(pattern: str, out_report: Report) -> None:
    assert out_report.explained[pattern] > 0


def test_every_method_is_called() -> None:
    called = written(METHODS).keys() | set(NOT_CALLED_METHODS.split())
    members = LIBRARY.methods.keys() | LIBRARY.shared_methods.keys() | LIBRARY.attributes.keys()
    assert members - called == set()


GENERATOR = {
    "random": ("()", "(3)", "(3, dtype=np.float32)"),
    "normal": ("()", "(size=3)", "(x)"),
    "uniform": ("()", "(0.0, 1.0, 3)"),
    "standard_normal": ("()", "(3)", "(3, dtype=np.float32)"),
    "integers": ("(3)", "(0, 3, 3)", "(3, size=3, dtype=np.uint8)"),
    "choice": ("(x)", "(3, size=2)"),
    "permutation": ("(x)",),
    "poisson": ("()", "(1.0, 3)"),
    "exponential": ("()", "(size=3)"),
    "multivariate_normal": ("([0, 0], [[1, 0], [0, 1]])",),
}


@pytest.mark.parametrize("name", GENERATOR)
def test_generators(name: str) -> None:
    row = LIBRARY.functions[f"random.Generator.{name}"]
    found = Report("NumPy")
    generator = {"rng": np.random.default_rng(0)}
    for text in GENERATOR[name]:
        asked = LABORATORY.read(f"np.random.Generator.{name}(rng, {text[1:]}")
        for dtypes in LABORATORY.combinations(asked.variables):
            values = {variable: value(variable, dtype) for variable, dtype in dtypes.items()}
            code = compile(f"rng.{name}{text}", name, "eval")
            LABORATORY.note(found, text, asked, dtypes, measure(code, {"np": np, **generator, **values}))
    assert row.name.endswith(name)
    assert found.differences == []
