"""NumPy 1.x: the value of a Python number decides the dtype.

`tests/rules/test_golden.py` and `tests/rules/test_numpy_1_numbers.py` compare measured values.
"""

from pathlib import Path

from promo_mypy.rules.operands import Operand
from promo_mypy.rules.systems import get_system
from tests.examples.agreement import dtype_named
from tests.mypy_runs import override, run_mypy

DTYPES = ("bool", "uint8", "int8", "uint16", "int16", "int32", "int64", "float16", "float32")
VALUES = (1, 200, 300, 70_000, 2**31, -1, -200)
OPERATIONS = {"add": "+", "mul": "*"}
HEADER = "import numpy as np\nimport numpy.typing as npt\n"


INEXACT = ("int16", "float16", "float32", "float64", "complex64")
NUMBERS = ("0.5", "-6e4", "65000.0", "1e10", "-1e10", "1e20 * 1e20", "2.0 ** 200", "1j", "1e39j", "1e5 + 1e30j")
# Operands whose value is unknown -> the dtypes beside which every value gives the same dtype, and that dtype.
UNKNOWN = {
    "number": {"int16": "float64", "float64": "float64"},
    "phase": {"int16": "complex128", "float64": "complex128"},
    "count": {"float64": "float64"},
}


def revealed(folder: Path, cache: Path, head: str, lines: list[str]) -> list[str | None]:
    (folder / "old.py").write_text(f"{HEADER}{head}\n" + "\n".join(lines) + "\n")
    run = run_mypy(folder, "old.py", cache=cache, options=override("old", 'system = "numpy-legacy"'))
    return [dtype_named(each) for each in run.revealed().values()]


def test_the_dtype_holds_the_value(tmp_path: Path, plugin_cache: Path) -> None:
    cells = [(name, op, value, first) for name in DTYPES for op in OPERATIONS for value in VALUES for first in (0, 1)]
    parameters = ", ".join(f"{name}_: npt.NDArray[np.{name}{'_' * (name == 'bool')}]" for name in DTYPES)
    lines = []
    for name, operation, value, first in cells:
        operands = (f"{name}_", f"({value})")
        lines.append(f"    reveal_type({operands[first]} {OPERATIONS[operation]} {operands[1 - first]})")
    shown = revealed(tmp_path, plugin_cache, f"def f({parameters}) -> None:", lines)
    system = get_system("numpy-legacy")
    wanted = []
    for name, operation, value, first in cells:
        result = system.resolve_literal(operation, Operand.of(name), value, reflected=first == 1)
        assert isinstance(result, type)
        wanted.append(result.__name__.removesuffix("_"))
    assert shown == wanted
    assert len(set(wanted)) > 8


def test_the_dtype_holds_the_magnitude(tmp_path: Path, plugin_cache: Path) -> None:
    parameters = [f"{name}_: npt.NDArray[np.{name}]" for name in INEXACT]
    parameters += ["number: float", "phase: complex", "count: int"]
    head = f"from typing import Final\nLIMIT: Final = 1e39\ndef f({', '.join(parameters)}) -> None:"
    system = get_system("numpy-legacy")
    lines: list[str] = []
    wanted: list[str | None] = []
    for name in INEXACT:
        for number in (*NUMBERS, "LIMIT"):
            value = 1e39 if number == "LIMIT" else eval(number)
            for first in (0, 1):
                operands = (f"{name}_", f"({number})")
                lines.append(f"    reveal_type({operands[first]} * {operands[1 - first]})")
                result = system.resolve_literal("mul", Operand.of(name), value, reflected=first == 1)
                assert isinstance(result, type)
                wanted.append(result.__name__)
        for operand, dtypes in UNKNOWN.items():
            lines.append(f"    reveal_type({name}_ * {operand})")
            wanted.append(dtypes.get(name))
            lines.append(f"    reveal_type({name}_ == {operand})")
            wanted.append("bool")
        lines.append(f"    {name}_ **= 2")
        lines.append(f"    reveal_type({name}_)")
        wanted.append(name)
    assert revealed(tmp_path, plugin_cache, head, lines) == wanted
    assert len(set(wanted)) > 6
