"""The cells of a notebook are one module, whose lines have places in the cells."""

import ast
import json
import warnings

from promo_mypy.notebooks.modules import Cell, module_of
from promo_mypy.notebooks.reading import read_notebook
from tests.needed import needs
from tests.notebooks.notebook_files import stored

MODULE = module_of([Cell(2, "import numpy as np\nx = 1"), Cell(3, "!ls"), Cell(5, "(\n"), Cell(6, "y = x\r\nz = y\n")])


def test_every_line_of_a_cell_has_a_place() -> None:
    lines = MODULE.text.split("\n")
    found = {}
    for number in range(1, len(lines) + 1):
        cell = MODULE.cell_at(number)
        if cell is not None:
            found[cell.number, number - cell.first + 1] = lines[number - 1]
    assert found == {
        (2, 1): "import numpy as np", (2, 2): "x = 1", (3, 1): "pass", (5, 1): "", (5, 2): "",
        (6, 1): "y = x", (6, 2): "z = y", (6, 3): "",
    }  # fmt: skip
    ast.parse(MODULE.text)


def test_a_line_is_named_by_its_cell() -> None:
    line = MODULE.text.split("\n").index("z = y") + 1
    assert MODULE.named(line) == "line 2 of cell 6"
    assert MODULE.named(1) == "line 1"
    cell = MODULE.cell(5)
    assert cell is not None
    assert cell.fault
    assert MODULE.cell(4) is None


def test_what_several_cells_define_has_no_type() -> None:
    once = module_of([Cell(1, "import a\ndef f(): ...\nx: int = 1"), Cell(2, "import a\nx: int = 2\ndef g(): ...")])
    assert once.text.split("\n")[0] == ""
    twice = module_of(
        [Cell(1, "def f(): ...\nx: int\nclass C: ..."), Cell(2, "f = 1\nfrom a import f\nx: str\nclass C: ...")]
    )
    head = twice.text.split("\n")[0]
    assert [part.split(":")[0] for part in head.split("; ")[1:]] == ["f", "x", "C"]
    same_cell = module_of([Cell(1, "def f(): ...\ndef f(): ...")])
    assert same_cell.text.startswith("\n")


def test_cells_without_an_id_cause_no_warning() -> None:
    needs("nbformat")
    notebook = json.loads(stored("x = 1"))
    del notebook["cells"][0]["id"]
    with warnings.catch_warnings(action="error"):
        assert read_notebook(json.dumps(notebook).encode()).cell(1) is not None
