"""Every measured operator cell of Dask, array-api-strict, CuPy, PaddlePaddle and TensorFlow, inferred by mypy."""

from pathlib import Path

import pytest

from tests.mypy_runs import override, run_mypy
from tests.other_libraries.cells import LIBRARIES, Library, cells, faults, program
from tests.other_libraries.installed import needs_types

pytestmark = pytest.mark.slow

#: Number of cells by library, so that a lost table is noticed.
CELLS = {
    "dask": 7515,
    "array-api-strict": 7566,
    "cupy": 6600,
    "cupy-gpu": 4396,
    "paddle": 7056,
    "tensorflow": 8490,
    "tensorflow-numpy-all": 8440,
    "tensorflow-numpy-safe": 8440,
}


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_every_cell(library: Library, tmp_path: Path, plugin_cache: Path) -> None:
    needs_types(library.golden, tmp_path)
    chosen = cells(library)
    source, by_line = program(library, chosen)
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    options = override("program", f'system = "{library.system}"')
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, options=options)
    found = list(faults(library, by_line, run))
    assert len(chosen) == CELLS[library.golden]
    assert not found, f"{len(found)} of {len(chosen)} cells differ:\n" + "\n".join(found[:60]) + run.output[-500:]
