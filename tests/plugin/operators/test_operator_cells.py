"""Every operator cell of every ordinary dtype, checked by mypy: it infers what the rules say.

tests/rules compares the rules with measured tables, so that mypy and the libraries agree cell by cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.operators import OPERATORS
from promo_mypy.rules.systems import get_system
from tests.mypy_runs import run_mypy
from tests.needed import needs

ORDINARY = [
    "bool",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "int8",
    "int16",
    "int32",
    "int64",
    "bfloat16",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
WEAK = {"weak_int32": "int32*", "weak_float32": "float32*", "weak_complex64": "complex64*"}
PYTHON = ("bool", "int", "float", "complex")
BINARY = {row.symbol: row.operation for row in OPERATORS.values() if row.kind in ("binary", "comparison")}
UNARY = {"-": "neg", "+": "pos", "~": "invert", "abs": "abs"}
PREAMBLE = """\
import jax, ml_dtypes, torch
import numpy as np
import numpy.typing as npt
from promo_mypy.rules import dtypes as dt
"""


@dataclass(frozen=True, slots=True)
class Library:
    """How the arrays or scalars of one library are annotated and how mypy shows them."""

    name: str
    system: str
    annotation: str
    shown: str
    dtypes: tuple[str, ...] = tuple(ORDINARY)
    form: Form = Form.ARRAY

    def annotate(self, dtype: str) -> str:
        return self.annotation.format(_class_name(dtype), numpy=_numpy_name(dtype))


ANY_RANK_BUT_ZERO = "Rank[Any, Known, Any, Any, Any, Any, Any, Any]"
#: The dtypes of the scalars, which follow the rules of the arrays.
OF_SCALARS = ("bool", "uint8", "int64", "float32", "float64", "complex64")
#: How mypy shows an array.
NDARRAY = "numpy.ndarray[tuple[Any, ...], numpy.dtype[{0}]]"
LIBRARIES = (
    Library("numpy", "numpy", "npt.NDArray[{numpy}]", NDARRAY),
    Library("numpy_scalars", "numpy", "{numpy}", "{0}", OF_SCALARS, Form.SCALAR),
    Library("jax", "jax-x32", '"jax.Array[dt.{0}]"', "Array[{0}]", (*ORDINARY, *WEAK)),
    Library("torch", "torch", f'"torch.Tensor[dt.{{0}}, {ANY_RANK_BUT_ZERO}]"', "Tensor[{0}]"),
)


#: NumPy expressions whose dtype depends on the value of an int, which is unknown -> the dtypes that are shown.
#: The square of an array of bools is int8, any other power int64.
BY_VALUE = {"bool_ ** py_int_": ("_8Bit] | ", "_64Bit]")}
#: The operands of Python's own operator, which takes a float64 for a float: it returns a Python number. mypy 1.19 asks
#: the float64 first, so it shows NumPy's dtype.
OF_PYTHON = ("py_complex", "float64")


def _operand(name: str, form: Form) -> Operand:
    return Operand.of(name if name.startswith("py_") else WEAK.get(name, name), form)


def _class_name(dtype: str) -> str:
    return "bool_" if dtype == "bool" else dtype


def _numpy_name(dtype: str) -> str:
    return f"ml_dtypes.{dtype}" if dtype == "bfloat16" else f"np.{_class_name(dtype)}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One expression, its operands in the names of the rules, and the answer of the rules."""

    expression: str
    operation: str
    operands: tuple[str, ...]

    def expected(self, library: Library) -> str | None:
        """The class name of the result; None if it is rejected; Any if it depends on the rank, which is unknown."""
        rules = get_system(library.system)
        forms = (library.form, Form.ZERO_D) if self.operation in rules.rank_operations else (library.form,)
        results = {rules.resolve(self.operation, *(_operand(each, form) for each in self.operands)) for form in forms}
        if len(results) > 1:
            return "Any"
        (result,) = results
        return None if isinstance(result, Refusal) else result.__name__


def cells(library: Library) -> Iterator[Cell]:
    """All operators over all pairs of dtypes, and over each dtype with each Python scalar in both orders."""
    for symbol, operation in BINARY.items():
        if library.form is Form.SCALAR and symbol in ("==", "!="):
            continue  # Python's numbers declare them for every object
        for left in library.dtypes:
            for right in library.dtypes:
                yield Cell(_binary(symbol, left, right), operation, (left, right))
            for scalar in PYTHON:
                python = f"py_{scalar}"
                yield Cell(_binary(symbol, left, python), operation, (left, python))
                yield Cell(_binary(symbol, python, left), operation, (python, left))
    for symbol, operation in UNARY.items():
        for dtype in library.dtypes:
            yield Cell(f"abs({dtype})" if symbol == "abs" else f"{symbol}{dtype}", operation, (dtype,))


def _binary(symbol: str, left: str, right: str) -> str:
    left, right = _variable(left), _variable(right)
    return f"divmod({left}, {right})" if symbol == "divmod()" else f"{left} {symbol} {right}"


def _variable(dtype: str) -> str:
    return f"{dtype}_"


def program(library: Library, chosen: list[Cell]) -> tuple[str, int]:
    """A module that reveals every cell, one per line, and the number of the first such line."""
    parameters = [f"{_variable(dtype)}: {library.annotate(dtype)}" for dtype in library.dtypes]
    parameters += [f"py_{scalar}_: {scalar}" for scalar in PYTHON]
    head = PREAMBLE + "from typing import Any\nfrom promo_mypy.rules.ranks import Known, Rank\n"
    head += f"def f({', '.join(parameters)}) -> None:\n"
    return head + "".join(f"    reveal_type({_expression(cell)})\n" for cell in chosen), head.count("\n") + 1


def _expression(cell: Cell) -> str:
    if len(cell.operands) == 1:
        (dtype,) = cell.operands
        return cell.expression.replace(dtype, _variable(dtype))
    return cell.expression


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_every_operator_cell(library: Library, tmp_path: Path, plugin_cache: Path) -> None:
    if library.system != "numpy":
        needs(library.name)
    chosen = list(cells(library))
    source, first = program(library, chosen)
    (tmp_path / f"cells_{library.name}.py").write_text(source)
    settings = "disable_error_code = ['type-arg', 'name-defined']"
    run = run_mypy(tmp_path, f"cells_{library.name}.py", cache=plugin_cache, settings=settings)
    revealed = run.revealed()
    refused = {error.line for error in run.errors() if error.code == "promo-undefined"}
    if library.name == "torch":
        # Tensors define no `__divmod__`: mypy reports its own error before it asks a hook.
        refused |= {error.line for error in run.errors() if " divmod " in error.text}
    if library.form is Form.SCALAR:
        # NumPy's stubs lack some of the operators.
        refused |= {error.line for error in run.errors()}
    wrong = []
    for line, cell in enumerate(chosen, start=first):
        expected = cell.expected(library)
        # A shape that nothing says is `tuple[int, ...]` in the stubs of NumPy 2.2.
        shown = revealed.get(line, "nothing").replace("tuple[int, ...]", "tuple[Any, ...]")
        if expected is None:
            good = line in refused
        elif library.form is Form.SCALAR and cell.operands == OF_PYTHON and expected != "bool_":
            good = shown in {"complex", *_spellings(library, expected, cell.operation)}
        elif library.name == "numpy" and cell.expression in BY_VALUE:
            good = all(part in shown for part in BY_VALUE[cell.expression])
        else:
            good = line not in refused and shown in _spellings(library, expected, cell.operation)
        if not good:
            wrong.append(f"{cell.expression}: expected {expected or 'a refusal'}, mypy says {shown}")
    assert not wrong, f"{len(wrong)} of {len(chosen)} cells differ:\n" + "\n".join(wrong[:40]) + run.output[-500:]


def _spellings(library: Library, dtype: str, operation: str) -> set[str]:
    plain = library.shown.format(NUMPY_SPELLINGS[dtype] if library.system == "numpy" else dtype)
    return {f"tuple[{plain}, {plain}]"} if operation == "divmod" else {plain}


_BITS = "numpy._typing._nbit_base._"
NUMPY_SPELLINGS = {
    "bool_": "numpy.bool[bool]",
    "bfloat16": "ml_dtypes.bfloat16",
    "float64": "numpy.float64",
    "complex128": "numpy.complex128",
    "complex64": f"numpy.complexfloating[{_BITS}32Bit, {_BITS}32Bit]",
    **{f"float{bits}": f"numpy.floating[{_BITS}{bits}Bit]" for bits in (16, 32)},
    **{f"int{bits}": f"numpy.signedinteger[{_BITS}{bits}Bit]" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"numpy.unsignedinteger[{_BITS}{bits}Bit]" for bits in (8, 16, 32, 64)},
}
