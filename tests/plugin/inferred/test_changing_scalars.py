"""A scalar does not keep the dtype of its first value where another value may have replaced it."""

from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import Run, run_mypy
from tests.plugin.calls.whole_programs import dtypes_shown, executed

PROGRAM: Final = Path(__file__).parent / "changing_scalars.py.txt"
TEXT: Final = PROGRAM.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    folder = tmp_path_factory.mktemp("scalars")
    (folder / "program.py").write_text(TEXT, encoding="utf-8")
    return run_mypy(folder, "program.py", cache=plugin_cache)


def test_the_dtypes_that_are_shown_have_those_of_the_values(run: Run) -> None:
    values, raised = executed(PROGRAM)
    shown = {line: dtypes_shown(typ) for line, typ in run.revealed().items() if "Any" not in typ}
    assert {line: (found, values[line]) for line, found in shown.items() if not values[line] <= found} == {}
    assert run.revealed().keys() == values.keys()
    assert raised == set()


def test_all_errors_are_those_of_stock_mypy(tmp_path: Path, run: Run, stock_cache: Path) -> None:
    (tmp_path / "program.py").write_text(TEXT, encoding="utf-8")
    stock = run_mypy(tmp_path, "program.py", cache=stock_cache, plugin=False)
    assert {each.line for each in run.errors()} <= {each.line for each in stock.errors()}
    assert len(run.errors()) == 1


def test_a_scalar_that_nothing_changes_keeps_its_dtype(run: Run) -> None:
    lines = enumerate(TEXT.splitlines(), 1)
    kept = {number: line.split("# ")[1] for number, line in lines if "reveal_type" in line and "# " in line}
    assert {line: "".join(dtypes_shown(typ)) for line, typ in run.revealed().items() if line in kept} == kept
    assert len(kept) > 3
