"""Attributes that are bound again, declared arrays without a dtype, tuples: their dtypes are those of the execution."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.plugin.executed_programs import compare, execute

PROGRAMS = sorted((Path(__file__).parent / "attributes").glob("*.py.txt"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_attributes_have_the_dtypes_of_their_values(program: Path, tmp_path: Path, plugin_cache: Path) -> None:
    library = program.name.partition(".")[0].partition("_")[0]
    needs(library, *(["jaxtyping"] if library != "numpy" else []))
    (tmp_path / f"{library}_program.py").write_text(program.read_text(encoding="utf-8"), encoding="utf-8")
    done = run_mypy(tmp_path, ".", cache=plugin_cache)
    assert done.status in (0, 1), done.output
    compare(program, execute([program])[program], done.messages)
