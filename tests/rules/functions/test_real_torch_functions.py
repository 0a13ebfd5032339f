"""PyTorch's registry against the installed PyTorch, executed on the CPU.

NotImplementedError is a missing kernel: where the rules give a dtype all the same, the cell is counted apart.
Differences are listed with their reasons; each must occur. The report is printed.
"""

import sys
from types import CodeType

import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.systems import get_system
from tests.rules.functions.calls_torch import CALLS, METHODS, NOT_CALLED
from tests.rules.functions.measuring import NUMBERS, Laboratory, Report, calls_of, written

torch = pytest.importorskip("torch")

# Casting complex to real, and functions that PyTorch means to remove.
pytestmark = pytest.mark.filterwarnings("ignore")

LIBRARY = library("torch")
DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip

DIFFERENCES = {
    r".*\babs\(x?\) bool: !NotImplementedError -> bool": "the CPU kernel is missing",
    r"torch\.(div|pow)\(u, v\) .*: !NotImplementedError -> complex32": "the CPU kernel is missing",
    r"torch\.ldexp\(x, y\) .*: !NotImplementedError -> .*": "no CPU kernel for powers of two of bool and complex32",
    r"x\.abs_\(\) (bool|complex\d+): !.* -> .*": "no kernel for bool; abs of complex is not "
    "stored in place, though it fits",
    r"torch\.linalg\.solve_triangular\(m, n, upper=True\) .*: .* -> !": "PyTorch forgets to compare the dtypes, and "
    "reads one matrix as if it were of the other's",
}


def value(variable: str, name: str) -> object:
    if variable == "d":
        return getattr(torch, name)
    if name in NUMBERS:
        return NUMBERS[name]
    return torch.eye(3, dtype=getattr(torch, name)) if variable in "mn" else torch.ones(3, dtype=getattr(torch, name))


def named(result: object) -> str:
    if isinstance(result, tuple | list):
        return "|".join(map(named, result))
    if isinstance(result, torch.dtype | torch.Tensor):
        return str(getattr(result, "dtype", result)).removeprefix("torch.")
    return f"py_{type(result).__name__}"


def measure(code: CodeType, values: dict[str, object]) -> str:
    try:
        return named(eval(code, values))
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:  # NotImplementedError is a RuntimeError
        return f"!{type(error).__name__}"


LABORATORY = Laboratory(
    get_system("torch"), "torch.Tensor", (("torch", "torch"),), {"torch": torch}, DTYPES, value, measure, DIFFERENCES
)


@pytest.fixture(scope="module")
def report() -> Report:
    found = Report("PyTorch")
    functions = calls_of(LIBRARY.functions, written(CALLS, "torch."), NOT_CALLED, "torch")
    for name, texts in (*functions, *written(METHODS).items()):
        LABORATORY.compare(name, texts, found)
    return found


def test_torch_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{report}\n")
    assert report.differences == []
    assert report.rows > 400
    assert report.cells > 10_000


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0
