"""Every function of PaddlePaddle's registry, executed for every admissible dtype.

Differences are listed with their reasons; each must occur. The report is printed.
"""

import sys
from types import CodeType

import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.systems import get_system
from tests.needed import needs
from tests.rules.functions.measuring import NUMBERS, Laboratory, Report, by_signature, written
from tests.rules.functions.paddle.calls import CALLS, METHODS

LIBRARY = library("paddle")
DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip
SCALARS = {bool: "py_bool", int: "py_int", float: "py_float", complex: "py_complex"}

#: A regular expression of "call dtypes: measured -> ours" -> why the rules differ.
DIFFERENCES = {
    r".*: !no kernel -> .*": "a kernel that the CPU lacks",
}


_REFUSALS = (TypeError, ValueError, OverflowError, AttributeError, NotImplementedError, AssertionError)


def value(variable: str, name: str) -> object:
    import paddle

    if variable == "d":
        return name
    if name in NUMBERS:
        return NUMBERS[name]
    return (paddle.eye(3) if variable in "mn" else paddle.ones([3])).astype(name)


def named(result: object) -> str:
    if isinstance(result, tuple | list):
        return "|".join(map(named, result))
    return SCALARS.get(type(result)) or str(result.dtype).removeprefix("paddle.")  # type: ignore[attr-defined] # a tensor


def measure(code: CodeType, values: dict[str, object]) -> str:
    try:
        return named(eval(code, values))
    except RuntimeError as error:
        return "!no kernel" if "kernel" in str(error) or "not support" in str(error) else "!RuntimeError"
    except (
        TypeError,
        ValueError,
        OverflowError,
        AttributeError,
        NotImplementedError,
        AssertionError,
        SystemError,
    ) as error:
        return f"!{type(error).__name__}"


@pytest.fixture(scope="module")
def report() -> Report:
    needs("paddle")
    import paddle

    laboratory = Laboratory(
        get_system("paddle"), "paddle.Tensor", (("paddle", "paddle"),), {"paddle": paddle}, DTYPES, value, measure,
        DIFFERENCES,
    )  # fmt: skip
    found = Report("PaddlePaddle")
    calls = written(CALLS, "paddle.")
    for name, row in LIBRARY.functions.items():
        laboratory.compare(name, calls.get(name) or (by_signature(row, "paddle"),), found)
    for name, texts in written(METHODS).items():
        laboratory.compare(name, texts, found)
    return found


@pytest.mark.filterwarnings("ignore")
def test_paddle_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{report}\n")
    assert report.differences == []
    assert report.rows > 230
    assert report.cells > 12_000


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0
