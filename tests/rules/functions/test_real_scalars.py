"""Every function of NumPy, JAX and PyTorch, called with 0-d arrays and with numbers in place of arrays.

Each array of a call is replaced in turn, and all of them together; the others are vectors. Calls that the library
rejects for their shapes are left out. Differences are listed with their reasons; each must occur. Reports are printed.

The test takes a sample of the pairs of different dtypes; `python -m tests.rules.functions` tries all of them.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np
import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.operands import Form
from tests.needed import needs
from tests.rules.functions.expressions import PYTHON
from tests.rules.functions.measuring import Laboratory, Report, calls_of, one_in, written

# Casts that lose something, division by zero, and functions that libraries plan to remove.
pytestmark = pytest.mark.filterwarnings("ignore")

_NUMPY: Final = {
    r"np\.interp\(x, y, .*\) (complex\d+|float128) library scalar, .*: float64 -> !": "NumPy casts scalars "
    "to float64, and only warns of an imaginary part; arrays it refuses",
    r"np\.(cov|corrcoef)\(x, y\) bfloat16.*, .*: float64 -> !": "NumPy accepts bfloat16, an integer and float64 in "
    "this order only",
    r"np\.linspace\(.*\) .*\bpy_complex\b.*: complex64\|complex64 -> .*": "beside bfloat16 NumPy takes complex64 for "
    "a Python complex, but not for a Python float and a complex",
}
_JAX: Final = {
    r"(jax\.numpy|x)\.(nan)?arg(max|min)\(x?\) (py_)?complex.*: int64 -> !": "abstract evaluation says nothing of it: "
    "executed, JAX refuses",
    r"jax\.block_until_ready\(x\) py_\w+: .*": "a number is given back, as JAX's types say",
}
_TORCH: Final = {
    r"x\.cum(sum|prod)_\(0\) bool 0-d array: bool -> !": "PyTorch gives back what has one "
    "item; of bools it refuses any other",
    r"torch\.gradient\(x\) \w+ 0-d array:  -> .*": "along none of its dimensions: an empty tuple",
}
_FORMS: Final[Mapping[Form, Callable[[Any], object]]] = {Form.ZERO_D: lambda x: x[0]}


def _short(value: Any) -> object:
    """A vector of one item, which broadcasts to any other."""
    return value[:1] if getattr(value, "ndim", 0) == 1 else value


@dataclass(frozen=True)
class Subject:
    """A library, what makes scalars of its arrays, and how many pairs are tried."""

    prefix: str
    expected: Mapping[str, str]
    rows: int
    cells: int
    all_cells: int
    """The least number of cells, for a sample of the pairs of dtypes and for all."""
    forms: Mapping[Form, Callable[[Any], object]]
    changes: tuple[Callable[[Any], object], ...] = (_short,)


SUBJECTS: Final = {
    "numpy": Subject(
        "np", _NUMPY, 480, 80_000, 250_000, {Form.ZERO_D: lambda x: np.array(x[0]), Form.SCALAR: lambda x: x[0]}
    ),
    # No array yields to another there, and evaluation is slow.
    "jax": Subject("jax", _JAX, 600, 12_000, 14_000, {Form.ZERO_D: lambda x: _module("jax").item(x)}, ()),
    "torch": Subject("torch", _TORCH, 450, 13_000, 25_000, _FORMS),
}


def texts_of(name: str) -> dict[str, tuple[str, ...]]:
    """Function, method or attribute -> its calls."""
    calls, prefix = import_module(f"tests.rules.functions.{name}.calls"), SUBJECTS[name].prefix
    functions = calls_of(library(name).functions, written(calls.CALLS, f"{prefix}."), calls.NOT_CALLED, prefix)
    return {**{function: tuple(texts) for function, texts in functions}, **written(calls.METHODS)}


def _module(name: str) -> Any:
    return import_module(f"tests.rules.functions.{name}.test_functions")


def laboratory(name: str) -> Laboratory:
    """The laboratory of the library, with vectors of three items."""
    made: Laboratory = _module(name).laboratory() if name == "jax" else _module(name).LABORATORY
    return made


def compare(name: str, pairs: Callable[[tuple[str, ...]], bool]) -> Report:
    """The comparison of one library; `pairs`: which combinations of several dtypes are tried."""
    subject, report = SUBJECTS[name], Report(name)
    with import_module("jax").enable_x64(True) if name == "jax" else nullcontext():
        asked = laboratory(name)
        known = replace(
            asked,
            expected={**asked.expected, **subject.expected},
            pairs=lambda names: asked.pairs(names) and pairs(names),
        )
        for function, texts in texts_of(name).items():
            known.compare_scalars(function, texts, subject.forms, report, subject.changes)
    return report


@cache
def reported(name: str) -> Report:
    needs(name)
    return compare(name, one_in(3))


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
def test_scalars_agree(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = reported(name)
    report.show(capsys)
    assert report.differences == []
    assert report.rows > SUBJECTS[name].rows
    assert report.cells > SUBJECTS[name].cells


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pattern"), [(name, each) for name in SUBJECTS for each in SUBJECTS[name].expected])
def test_each_difference_occurs(name: str, pattern: str) -> None:
    assert reported(name).explained[pattern] > 0


def test_a_wrong_answer_is_found() -> None:
    real, report = laboratory("numpy"), Report("numpy")
    replace(real, measure=lambda *_: "int8").compare_scalars("sin", ["np.sin(x)"], _FORMS, report)
    assert len(report.differences) == report.cells == len(real.dtypes) + len(PYTHON)
