"""Turn recorded results of a GPU for CuPy's calls into programs for mypy, and compare its types with them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from promo_mypy.rules.dtypes import parse
from tests.mypy_runs import Run
from tests.rules.functions.cupy import measure
from tests.rules.functions.cupy import record as cupy_record
from tests.rules.functions.expressions import PYTHON
from tests.rules.functions.measuring import DTYPES

HEAD = """\
from typing import Any
import cupy as cp
import ml_dtypes
import numpy as np
import numpy.typing as npt
from promo_mypy.rules import dtypes as dt
"""
#: Variable -> its annotation, without the dtype.
ARRAY = '"cp.ndarray[dt.{0}]"'
ANNOTATIONS = {"s": "{1}", "a": "npt.NDArray[{1}]"}
#: Results that are arrays of NumPy, or numbers; for all others mypy shows an array of CuPy.
SHOWN = {"py_bool": "bool", "py_int": "int", "py_float": "float", "py_complex": "complex"}


@dataclass(frozen=True)
class Cell:
    """One recorded call, its line, and its result."""

    text: str
    names: tuple[str, ...]
    expression: str
    measured: str

    def __str__(self) -> str:
        return f"{self.text} {', '.join(self.names)}: {self.measured}"


@dataclass
class Comparison:
    """mypy's types for the cells."""

    cells: int = 0
    known: int = 0
    """Number of results with a known dtype."""
    refused: int = 0
    """Number of reported rejections."""
    accepted: list[str] = field(default_factory=list)
    """Number of rejections that are not reported."""
    wrong: list[str] = field(default_factory=list)
    """Other dtypes, and errors in calls that work."""


def cells(texts: Iterable[str], *, each: int = 0) -> Iterator[Cell]:
    """The recorded cells of some calls; at most `each` cells of a call, if that is given."""
    record = cupy_record.read().cells
    for text in texts:
        found = list(record[text].items())
        for names, measured in found[:: max(1, len(found) // each) if each else 1]:
            yield Cell(text, names, _expression(text, names), measured)


def _expression(text: str, names: Sequence[str]) -> str:
    for variable, name in zip(measure.variables(text), names, strict=True):
        text = re.sub(rf"\b{variable}\b", _argument(variable, name), text)
    return text


def _argument(variable: str, name: str) -> str:
    if variable == "k":
        return name
    if name in PYTHON:
        return f"{name}_"
    if variable == "d":
        return _numpy(name)
    return f"{variable if variable in ANNOTATIONS else 'x'}_{name}_"


def _numpy(name: str) -> str:
    return "ml_dtypes.bfloat16" if name == "bfloat16" else f"np.{parse(name).__name__}"


def program(chosen: Sequence[Cell]) -> str:
    """One expression per line, revealed; an assignment to an item is a statement."""
    parameters = [
        f"{kind}_{name}_: {ANNOTATIONS.get(kind, ARRAY).format(parse(name).__name__, _numpy(name))}"
        for kind in ("x", *ANNOTATIONS)
        for name in DTYPES
    ]
    parameters += [f"{name}_: {shown}" for name, shown in SHOWN.items()]
    lines = [_line(cell.expression) for cell in chosen]
    return f"{HEAD}def f({', '.join(parameters)}) -> None:\n" + "".join(f"    {line}\n" for line in lines)


def _line(expression: str) -> str:
    item = re.fullmatch(r"(.*)\.__setitem__\((.*), (.*)\)", expression)
    return f"{item[1]}[{item[2]}] = {item[3]}" if item else f"reveal_type({expression})"


def compare(chosen: Sequence[Cell], run: Run) -> Comparison:
    """Compare mypy's types in a program of these cells with the recorded results."""
    found, revealed = Comparison(), run.revealed()
    errors = {error.line: error.code for error in run.errors() if (error.code or "").startswith("promo-")}
    for line, cell in enumerate(chosen, start=HEAD.count("\n") + 2):
        shown = revealed.get(line, "")
        found.cells += 1
        if cell.measured.startswith("!"):
            found.refused += line in errors
            if line not in errors:
                found.accepted.append(f"{cell}, mypy says {shown}")
            continue
        known = "Any" not in shown and shown != ""
        found.known += known
        if line in errors or (known and not agree(shown, cell.measured)):
            found.wrong.append(f"{cell}, mypy says {errors.get(line, shown)}")
    return found


def agree(shown: str, measured: str) -> bool:
    """Whether the type has those dtypes; for a sequence of any length, the one dtype of all items."""
    found, expected = dtypes(shown), measured.split("|")
    any_length = shown.startswith("list[") or shown.endswith(", ...]")
    return set(found) == set(expected) if any_length else found == expected


def dtypes(shown: str) -> list[str]:
    """The dtypes of the arrays and numbers in a type: "tuple[ndarray[float32], int]"."""
    found = re.findall(r"ndarray\[(\w+)\]|dtype\[(?:numpy|ml_dtypes)\.(\w+)|\b(bool|int|float|complex)\b", shown)
    numbers = {shown: name for name, shown in SHOWN.items()}
    return [numbers[number] if number else (ours or theirs).removesuffix("_") for ours, theirs, number in found]
