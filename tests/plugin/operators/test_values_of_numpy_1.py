"""NumPy 1.x: the value of an int literal decides the dtype. `tests/rules/test_golden.py` compares measured values."""

from pathlib import Path

from promo_mypy.rules.operands import Operand
from promo_mypy.rules.systems import get_system
from tests.examples.agreement import dtype_named
from tests.mypy_runs import override, run_mypy

DTYPES = ("bool", "uint8", "int8", "uint16", "int16", "int32", "int64", "float16", "float32")
VALUES = (1, 200, 300, 70_000, 2**31, -1, -200)
OPERATIONS = {"add": "+", "mul": "*"}
HEADER = "import numpy as np\nimport numpy.typing as npt\n"


def test_the_dtype_holds_the_value(tmp_path: Path, plugin_cache: Path) -> None:
    cells = [(name, op, value, first) for name in DTYPES for op in OPERATIONS for value in VALUES for first in (0, 1)]
    parameters = ", ".join(f"{name}_: npt.NDArray[np.{name}{'_' * (name == 'bool')}]" for name in DTYPES)
    lines = []
    for name, operation, value, first in cells:
        operands = (f"{name}_", f"({value})")
        lines.append(f"    reveal_type({operands[first]} {OPERATIONS[operation]} {operands[1 - first]})")
    (tmp_path / "old.py").write_text(f"{HEADER}def f({parameters}) -> None:\n" + "\n".join(lines) + "\n")
    run = run_mypy(tmp_path, "old.py", cache=plugin_cache, options=override("old", 'system = "numpy-legacy"'))
    system = get_system("numpy-legacy")
    shown = [dtype_named(each) for each in run.revealed().values()]
    wanted = []
    for name, operation, value, first in cells:
        result = system.resolve_literal(operation, Operand.of(name), value, reflected=first == 1)
        assert isinstance(result, type)
        wanted.append(result.__name__.removesuffix("_"))
    assert shown == wanted
    assert len(set(wanted)) > 8
