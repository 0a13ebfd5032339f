"""The cells of a notebook in an editor: each is a document of its own, and all together are one module."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from promo_mypy.notebooks.modules import Cell, NotebookModule, module_of

#: No file has so many lines.
_LAST: int = 2**31


@dataclass(frozen=True, slots=True)
class Part:
    """A document of the editor as a part of what is checked: a whole file, or a cell of a notebook.

    Attributes:
        uri: its name in the protocol.
        above: the lines of the module above it.
        count: how many lines it has.
        rewritten: the lines, from 1, in whose place the module has others. They cannot be changed.
    """

    uri: str
    above: int = 0
    count: int = _LAST
    rewritten: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class OpenCells:
    """The open cells of a notebook.

    Attributes:
        module: the module of the cells with Python.
        uris: their names in the protocol, in the order of the module.
        unfinished: the cells among them that could be read before an edit, and cannot now.
    """

    module: NotebookModule
    uris: tuple[str, ...]
    unfinished: frozenset[str] = frozenset()

    @classmethod
    def of(cls, cells: Iterable[tuple[int, str, str]], before: "OpenCells | None") -> "OpenCells":
        """The cells: for each its number, name and text.

        While somebody edits a cell, it often cannot be read. Then the last findings stay, as in other files.
        """
        cells = tuple(cells)
        made = tuple(Cell(number, source) for number, _, source in cells)
        uris = tuple(uri for _, uri, _ in cells)
        faulty = {uri for uri, cell in zip(uris, module_of(made).cells, strict=True) if cell.fault}
        unfinished = frozenset(faulty & (before.good | before.unfinished if before is not None else frozenset()))
        numbers = {number for number, uri, _ in cells if uri in unfinished}
        return cls(module_of(made, numbers), uris, unfinished)

    @property
    def good(self) -> frozenset[str]:
        """The cells that can be read."""
        return frozenset(uri for uri, cell in zip(self.uris, self.module.cells, strict=True) if not cell.fault)

    @property
    def parts(self) -> Iterator[Part]:
        """The cells as parts of the module."""
        for uri, cell in zip(self.uris, self.module.cells, strict=True):
            yield Part(uri, cell.first - 1, cell.count, cell.rewritten)
