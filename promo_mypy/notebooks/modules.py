"""The cells of a notebook as one module, and the places of its lines in the cells.

What cells define several times, such as a function that is changed from cell to cell, has no type in the module: mypy
knows one definition for each name, and would check every call against the first one.
"""

import ast
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from promo_mypy.notebooks.ipython import PythonCell, as_python

_ANY: Final = "_Any_"
#: What a name stands for: a function or class, or something imported.
_CODE, _IMPORT = "def", "import"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with code: its number among all cells of the notebook, from 1, and its text."""

    number: int
    source: str


@dataclass(frozen=True, slots=True)
class CellLines:
    """Where a cell is in a module.

    Attributes:
        number: the number of the cell.
        first: the line of the module in which it begins, from 1.
        count: how many lines it has.
        rewritten: its lines that are no Python, counted from 1. The module has others in their place.
        fault: why its code is not in the module, in one line.
        source: its text in the notebook.
    """

    number: int
    first: int
    count: int
    rewritten: frozenset[int]
    fault: str
    source: str


@dataclass(frozen=True, slots=True)
class NotebookModule:
    """A notebook as a module: its text, and its cells in the order of the text."""

    text: str
    cells: tuple[CellLines, ...]

    def python_of(self, cell: CellLines) -> str:
        """The Python of a cell."""
        return "\n".join(self.text.split("\n")[cell.first - 1 : cell.first - 1 + cell.count])

    def cell_at(self, line: int) -> CellLines | None:
        """The cell of a line of the module; None for a line between cells."""
        index = bisect_right(self.cells, line, key=lambda cell: cell.first) - 1
        cell = self.cells[index] if index >= 0 else None
        return cell if cell is not None and line < cell.first + cell.count else None

    def cell(self, number: int) -> CellLines | None:
        """The cell with that number; None for one that is not there, or has no code."""
        return next((each for each in self.cells if each.number == number), None)

    def named(self, line: int) -> str:
        """A line of the module in words."""
        cell = self.cell_at(line)
        return f"line {line}" if cell is None else f"line {line - cell.first + 1} of cell {cell.number}"


def module_of(cells: Iterable[Cell], unfinished: Container[int] = ()) -> NotebookModule:
    """The module of some cells with code.

    `unfinished`: cells that somebody is editing. They stay as they are, so that the module is no Python.
    """
    read = [(cell, _python(cell, is_finished=cell.number not in unfinished)) for cell in cells]
    lines = [_head(python for _, python in read)]
    placed = []
    for cell, python in read:
        of_cell = python.text.split("\n")
        place = CellLines(cell.number, len(lines) + 2, len(of_cell), python.rewritten, python.fault, cell.source)
        placed.append(place)
        lines += [f"# cell {cell.number}", *of_cell]
    return NotebookModule("\n".join([*lines, ""]), tuple(placed))


def _python(cell: Cell, *, is_finished: bool) -> PythonCell:
    source = cell.source.replace("\r\n", "\n").replace("\r", "\n")
    python = as_python(source)
    return python if is_finished or not python.fault else PythonCell(source, fault=python.fault)


def _head(cells: Iterable[PythonCell]) -> str:
    """The first line of the module: it declares what several cells define."""
    seen: dict[str, str] = {}
    repeated: dict[str, None] = {}
    for cell in cells:
        if cell.fault:
            continue
        here = dict(_definitions(ast.parse(cell.text)))
        twice = (name for name, what in here.items() if name in seen and (what == _CODE or seen[name] != what))
        repeated.update(dict.fromkeys(twice))
        seen |= here
    if not repeated:
        return ""
    return "; ".join([f"from typing import Any as {_ANY}", *(f"{name}: {_ANY}" for name in repeated)])


def _definitions(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a cell declares at its top; annotated variables with their annotation."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, _CODE
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                yield name, ast.dump(annotation)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    yield alias.asname or alias.name.partition(".")[0], _IMPORT
