"""Turn measured operator cells of the further libraries into programs for mypy, and compare its types with them.

A program annotates one parameter for each dtype and reveals one expression per line. The expected types come from the
tables in tests/golden, which were measured by running the libraries, and never from the rules.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

from promo_mypy.rules.dtypes import parse
from promo_mypy.rules.operators import OPERATORS
from promo_mypy.rules.ranks import RankFacts
from tests.mypy_runs import Run
from tests.rules.golden_tables import golden_tables
from tests.rules.test_golden import DIFFERENCES

SYMBOLS = {row.operation: row.symbol for row in OPERATORS.values() if row.kind != "reflected"}
PYTHON = ("bool", "int", "float", "complex")
# CuPy on a host: the dtypes of its ufuncs; on a GPU: its operators, computed.
UFUNCS = {
    "subtract": "sub", "multiply": "mul", "true_divide": "truediv", "floor_divide": "floordiv", "remainder": "mod",
    "power": "pow", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "left_shift": "lshift",
    "right_shift": "rshift", "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt",
    "greater_equal": "ge", "negative": "neg", "absolute": "abs",
}  # fmt: skip

HEAD = """\
from typing import Any
import ml_dtypes
import numpy as np
import numpy.typing as npt
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import Known, Rank
"""


def _rank(dimensions: int | None) -> str:
    facts = RankFacts(dimensions, dimensions != 0)
    return f"Rank[{', '.join('Known' if holds else 'Any' for holds in facts.positions())}]"


@dataclass(frozen=True, slots=True)
class Annotated:
    """An operand in the program: the prefix of its parameters, and their annotation without the dtype."""

    prefix: str
    annotation: str

    def parameter(self, dtype: str) -> str:
        cls = parse(dtype).__name__
        numpy = f"ml_dtypes.{cls}" if dtype == "bfloat16" else f"np.{cls}"
        return f"{self.variable(dtype)}: {self.annotation.format(cls, numpy=numpy)}"

    def variable(self, dtype: str) -> str:
        return f"{self.prefix}_{parse(dtype).__name__}"


SCALAR = Annotated("s", "{numpy}")
NDARRAY = Annotated("n", "npt.NDArray[{numpy}]")


@dataclass(frozen=True, slots=True)
class Library:
    """A library, or a mode of one: its golden file, and how to write its arrays and how mypy shows them.

    `mixed` are tables with operands other than arrays of a rank above zero: left, right. They are of `+`, or of
    the operator that their name ends in. `literals`: whether to include tables of written numbers.
    """

    golden: str
    imports: str
    array: str
    shown: str
    system: str = "library"
    ranked: bool = False
    mixed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    literals: bool = False

    @property
    def name(self) -> str:
        return self.golden

    def operand(self, form: str) -> Annotated:
        """`array`, `zero_d`, or NumPy's `scalar` and `ndarray`."""
        if form == "scalar":
            return SCALAR
        if form == "ndarray":
            return NDARRAY
        rank = f", {_rank(0 if form == 'zero_d' else None)}" if self.ranked else ""
        return Annotated("z" if form == "zero_d" else "a", f'"{self.array}[dt.{{0}}{rank}]"')


_ZERO_D = {
    "weak/array_zero_d": ("array", "zero_d"),
    "weak/zero_d_array": ("zero_d", "array"),
    "weak/zero_d_zero_d": ("zero_d", "zero_d"),
    "weak/zero_d_python": ("zero_d", "python"),
}
_TENSORFLOW = {
    "weak/numpy_scalar_array": ("scalar", "array"),
    "weak/array_numpy_scalar": ("array", "scalar"),
}
_CUPY = {
    f"weak/{name}_{operation}": forms
    for operation in ("add", "mul", "truediv", "eq")
    for name, forms in {
        "array_numpy_scalar": ("array", "scalar"),
        "numpy_scalar_array": ("scalar", "array"),
        "array_numpy_array": ("array", "ndarray"),
        "numpy_array_array": ("ndarray", "array"),
        "array_zero_d": ("array", "zero_d"),
        "zero_d_array": ("zero_d", "array"),
        "zero_d_zero_d": ("zero_d", "zero_d"),
        "zero_d_mixed": ("zero_d", "array"),
    }.items()
}
LIBRARIES: Sequence[Library] = (
    Library(
        "dask",
        "import dask.array as da",
        "da.Array",
        "Array[{0}]",
        mixed=_ZERO_D
        | {"weak/array_numpy_scalar": ("array", "scalar"), "weak/array_numpy_array": ("array", "ndarray")},
    ),
    Library(
        "array-api-strict",
        "from array_api_strict._array_object import Array",
        "Array",
        "Array[{0}]",
        mixed=_ZERO_D,
    ),
    Library("cupy", "import cupy", "cupy.ndarray", "ndarray[{0}]"),
    Library("cupy-gpu", "import cupy", "cupy.ndarray", "ndarray[{0}]", mixed=_CUPY, literals=True),
    Library("paddle", "import paddle", "paddle.Tensor", "Tensor[{0}]", ranked=True, mixed=_ZERO_D),
    Library("tensorflow", "import tensorflow as tf", "tf.Tensor", "Tensor[{0}]", mixed=_ZERO_D | _TENSORFLOW),
    *(
        Library(
            mode,
            "import tensorflow as tf",
            "tf.Tensor",
            "Tensor[{0}]",
            system=mode,
            mixed=_ZERO_D | {"weak/add_20": ("array", "array")},
        )
        for mode in ("tensorflow-numpy-all", "tensorflow-numpy-safe")
    ),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One expression and the measured dtype; "!" and an exception if it is rejected."""

    table: str
    operands: tuple[str, str]
    expression: str
    measured: str
    statement: bool = False
    """Whether the expression is an augmented assignment to a name, and the dtype is that of the name."""

    def differs_deliberately(self, golden: str, result: str) -> bool:
        """Whether the rules deliberately differ from the measurement, with a reason beside them."""
        # The exponent 2 makes an int8 of bools. It was measured with 3, and here its value is unknown.
        if golden == "dask" and self.table == "ops/pow" and self.operands == ("bool", "py_int"):
            return True
        text = f"{','.join(self.operands)}: {self.measured} -> {result}"
        return any(
            fnmatch(golden, row.file) and re.fullmatch(row.table, self.table) and re.fullmatch(row.cell, text)
            for row in DIFFERENCES
        )


def cells(library: Library) -> list[Cell]:
    """Every measured cell that an operator decides."""
    found: list[Cell] = []
    for name, table in golden_tables(library.golden).items():
        section, _, operation = name.partition("/")
        operation = UFUNCS.get(operation, operation)
        forms = ("array", "array")
        if section == "weak":
            if name not in library.mixed:
                continue
            last = operation.rpartition("_")[2]
            operation, forms = last if last in SYMBOLS else "add", library.mixed[name]
        elif section == "literals" and library.literals:
            found += _literals(library, name, table.cells)
            continue
        elif section not in ("ops", "inplace") or operation not in SYMBOLS:
            continue
        for operands, measured in table.cells.items():
            # A scalar of ml_dtypes on the left answers `==` by its own types.
            if "float8" in "".join(operands) or (forms[0] == "scalar" and operation == "eq" and "bf" in operands[0]):
                continue
            texts = [_text(library, operand, form) for operand, form in zip(operands, forms, strict=True)]
            found.append(Cell(name, operands, _expression(operation, *texts), measured, statement=section == "inplace"))
    return found


def _literals(library: Library, name: str, measured: Mapping[tuple[str, str], str]) -> Iterator[Cell]:
    """Cells whose right operand is a number that is written out; for `radd` the left one."""
    operation = name.partition("/")[2]
    for operands, result in measured.items():
        if "**" in operands[1]:  # not written out
            continue
        texts = library.operand("array").variable(operands[0]), operands[1]
        if operation == "radd":
            yield Cell(name, operands, _expression("add", *texts[::-1]), result)
        else:
            yield Cell(name, operands, _expression(operation, *texts), result, statement=operation == "iadd")


def _text(library: Library, operand: str, form: str) -> str:
    if not operand:
        return ""
    return f"{operand}_" if operand.startswith("py_") else library.operand(form).variable(operand)


def _expression(operation: str, left: str, right: str) -> str:
    symbol = SYMBOLS[operation]
    if symbol.endswith("()"):
        return f"{symbol[:-1]}{left + ', ' if left else ''}{right})"
    return f"{left} {symbol} {right}".strip() if left else f"{symbol}{right}"


def program(library: Library, chosen: Sequence[Cell]) -> tuple[str, Mapping[int, Cell]]:
    """The source, and the cell that each line reveals. An augmented assignment has a function of its own."""
    used = {name for cell in chosen for name in re.findall(r"\b[a-z]+_\w+\b", cell.expression)}
    dtypes = sorted(
        {operand for cell in chosen for operand in cell.operands if operand[:1].isalpha() and operand[:3] != "py_"}
    )
    forms = ("array", "zero_d", "scalar", "ndarray")
    parameters = [
        library.operand(form).parameter(dtype)
        for form in forms
        for dtype in dtypes
        if library.operand(form).variable(dtype) in used
    ]
    parameters += [f"py_{scalar}_: {scalar}" for scalar in PYTHON]
    lines = [*HEAD.splitlines(), library.imports, f"def f({', '.join(parameters)}) -> None:"]
    by_line: dict[int, Cell] = {}
    for cell in chosen:
        if not cell.statement:
            lines.append(f"    reveal_type({cell.expression})")
            by_line[len(lines)] = cell
    of_variable = {text.split(":")[0]: text for text in parameters}
    for number, cell in enumerate(cell for cell in chosen if cell.statement):
        target = cell.expression.split()[0]
        given = dict.fromkeys(of_variable[name] for name in re.findall(r"\b[a-z]+_\w+\b", cell.expression))
        lines.append(f"def g{number}({', '.join(given)}) -> None:")
        # A name that is bound twice may change its dtype.
        lines += [f"    x = {target}", f"    x = {target}", f"    x {cell.expression.removeprefix(target).strip()}"]
        by_line[len(lines)] = cell
        lines.append("    reveal_type(x)")
    return "\n".join(lines) + "\n", by_line


def faults(library: Library, by_line: Mapping[int, Cell], run: Run) -> Iterator[str]:
    """The cells where mypy differs from the measurement."""
    revealed = run.revealed()
    refused = {error.line for error in run.errors() if error.file == "program.py"}
    for line, cell in by_line.items():
        shown = revealed.get(line + 1 if cell.statement else line, "nothing")
        result = "!" if line in refused else shown
        if cell.measured.startswith("!"):
            good = line in refused
        else:
            good = line not in refused and shown == _shown(library, cell.measured)
        if not good and not cell.differs_deliberately(library.golden, _dtype(library, result)):
            yield f"{cell.table} {cell.operands} {cell.expression}: measured {cell.measured}, mypy says {result}"


def _shown(library: Library, measured: str) -> str:
    parts = [library.shown.format(parse(part).__name__) for part in measured.split("|")]
    return parts[0] if len(parts) == 1 else f"tuple[{', '.join(parts)}]"


def _dtype(library: Library, shown: str) -> str:
    """The dtype in a type that mypy shows; the type itself if it has none."""
    before, after = library.shown.split("{0}")
    found = re.fullmatch(re.escape(before) + r"(\w+)" + re.escape(after), shown)
    return found[1].removesuffix("_") if found else shown
