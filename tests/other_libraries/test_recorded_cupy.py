"""CuPy's calls with recorded results of a GPU, inferred by mypy: types come from our stubs, dtypes from the plugin.

Compared are all cells of calls with written numbers and of names that are not functions of CuPy, and a few cells of
every function.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.other_libraries import recorded_cupy
from tests.other_libraries.installed import needs_types
from tests.other_libraries.recorded_cupy import Cell, Comparison
from tests.rules.functions.cupy import calls, record

#: Classes of NumPy, which make NumPy scalars.
SCALARS = re.compile(r"cp\.(bool_|u?int\d+|float\d+|complex\d+)\(")

#: Calls that CuPy rejects, not for their dtypes or for a dtype that the rules do not know, and that mypy accepts.
ACCEPTED = (
    r"(cp|np)\.add\(a, x\)", r"cp\.einsum\(.*bfloat16", r"round\(x\)",
    r"cp\.arange\(3, dtype=d\) bool", r"(int|float)\(x\[0\]\) complex",
)  # fmt: skip


def asked(chosen: Iterable[Cell], folder: Path, cache: Path) -> Comparison:
    needs_types("cupy", folder)
    listed = list(chosen)
    (folder / "program.py").write_text(recorded_cupy.program(listed), encoding="utf-8")
    run = run_mypy(folder, "program.py", cache=cache)
    found = recorded_cupy.compare(listed, run)
    assert found.wrong == []
    refusals = [each for each in found.accepted if re.search(r": !(TypeError|OverflowError|DTypePromotionError)", each)]
    assert [each for each in refusals if not any(re.match(pattern, each) for pattern in ACCEPTED)] == []
    return found


def test_written_numbers(tmp_path: Path, plugin_cache: Path) -> None:
    found = asked(recorded_cupy.cells(calls.LITERALS), tmp_path, plugin_cache)
    assert found.accepted == []
    assert (found.known, found.refused) == (365, 522)


def test_names_that_are_not_functions_of_cupy(tmp_path: Path, plugin_cache: Path) -> None:
    found = asked(recorded_cupy.cells(calls.EXPRESSIONS), tmp_path, plugin_cache)
    # NumPy's functions dispatch to CuPy: their dtypes are unknown.
    assert found.known > 150


@pytest.mark.slow
def test_every_function(tmp_path: Path, plugin_cache: Path) -> None:
    texts = [text for text in record.read().cells if text.startswith("cp.") and not SCALARS.match(text)]
    assert len(texts) > 600
    found = asked(recorded_cupy.cells(texts, each=4), tmp_path, plugin_cache)
    assert found.cells > 2_500
    assert found.known > 2_200
    assert found.refused > 250


def test_a_wrong_answer_is_found(tmp_path: Path, plugin_cache: Path) -> None:
    chosen = [
        Cell("cp.sum(x)", ("uint8",), "cp.sum(x_uint8_)", "uint8"),
        Cell("cp.add(x, k)", ("uint8", "300"), "cp.add(x_uint8_, 300)", "uint8"),
        Cell("-x", ("float32",), "-x_float32_", "!TypeError"),
        Cell("cp.svd(x)", ("complex64",), "cp.linalg.svd(x_complex64_)", "complex64|float32|complex64"),
        Cell("cp.copy(x)", ("bool",), "cp.copy(x_bool_)", "bool"),
    ]
    (tmp_path / "program.py").write_text(recorded_cupy.program(chosen), encoding="utf-8")
    found = recorded_cupy.compare(chosen, run_mypy(tmp_path, "program.py", cache=plugin_cache))
    assert found.wrong == [
        "cp.sum(x) uint8: uint8, mypy says ndarray[uint64]",
        "cp.add(x, k) uint8, 300: uint8, mypy says promo-overflow",
    ]
    assert found.accepted == ["-x float32: !TypeError, mypy says ndarray[float32]"]
    assert (found.known, found.refused) == (4, 0)


def test_every_recorded_cell_can_be_written() -> None:
    texts = record.read().cells.keys()
    chosen = list(recorded_cupy.cells(texts))
    assert len(chosen) == sum(map(len, record.read().cells.values()))
    for cell in chosen[::50]:
        compile(cell.expression, str(cell), "eval")
