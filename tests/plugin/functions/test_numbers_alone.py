"""NumPy's elementwise functions of Python's numbers alone: what is a `float` or a `complex`, too, is known as a scalar.

Of the others NumPy's stubs say Any, and so does the plugin: an int64 is no `int`.
"""

from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.functions.numpy_ufuncs import BINARY, ELEMENTWISE, UNARY
from tests.mypy_runs import run_mypy

NUMBERS = {"x": 0.5, "n": 3, "c": 2j}
GIVEN = {UNARY: ("x", "n", "c"), BINARY: ("x, n", "n, n", "x, x", "c, x", "2, 0.5")}
KNOWN = {np.float64: "numpy.float64", np.complex128: "numpy.complex128"}


@pytest.mark.filterwarnings("ignore")
def test_scalars_of_numbers(tmp_path: Path, plugin_cache: Path) -> None:
    rows = [row for row in library("numpy").functions.values() if row.signature in ELEMENTWISE]
    expected: dict[str, str] = {}
    for row in rows:
        for given in GIVEN[row.signature]:
            try:
                result = eval(f"f({given})", {"f": attrgetter(row.name)(np), **NUMBERS})
            except (TypeError, ValueError):
                continue
            expected[f"np.{row.name}({given})"] = KNOWN.get(type(result), "Any")
    head = "import numpy as np\ndef f(x: float, n: int, c: complex) -> None:\n"
    (tmp_path / "numbers_alone.py").write_text(head + "".join(f"    reveal_type({call})\n" for call in expected))
    run = run_mypy(tmp_path, "numbers_alone.py", cache=plugin_cache)
    revealed = dict(zip(expected, run.revealed().values(), strict=True))
    wrong = {call: typ for call, typ in revealed.items() if typ not in ("Any", expected[call]) and "tuple" not in typ}
    assert wrong == {}
    known = [call for call, typ in expected.items() if typ != "Any"]
    unknown = [call for call in known if revealed[call] != expected[call]]
    assert len(known) > 100
    assert [call for call in unknown if "ldexp" not in call] == []


def test_a_float64_scalar_widens(tmp_path: Path, plugin_cache: Path) -> None:
    """As it does when it is executed: NumPy 2 knows a float64 from a Python float."""
    (tmp_path / "numbers_beside.py").write_text(
        "import numpy as np\nimport numpy.typing as npt\n"
        "def f(a: npt.NDArray[np.float32], x: float) -> float:\n"
        "    reveal_type(a / np.sqrt(2))\n    reveal_type(a * np.exp(-x))\n    reveal_type(a * x)\n"
        "    s = np.sqrt(2)\n    s = a\n    return np.log(x)\n"
    )
    run = run_mypy(tmp_path, "numbers_beside.py", cache=plugin_cache)
    a = np.ones(2, np.float32)
    executed = [(a / np.sqrt(2)).dtype, (a * np.exp(-0.5)).dtype, (a * 0.5).dtype]
    shown = {np.dtype(np.float64): "numpy.float64", np.dtype(np.float32): "floating[numpy._typing._nbit_base._32Bit]"}
    assert [shown[dtype] in typ for dtype, typ in zip(executed, run.revealed().values(), strict=True)] == [True] * 3
    assert run.errors() == []
