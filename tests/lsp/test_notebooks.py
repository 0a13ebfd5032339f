"""Notebooks in an editor: findings, hovers, hints and actions in cells, by `notebookDocument/*` of the protocol."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.lsp.editor import Editor, project, run, session, types

IMPORTS: Final = "%matplotlib inline\nimport numpy as np\nfrom numpy.typing import NDArray"
FADED: Final = """\
def faded(image: NDArray[np.float32]) -> NDArray[np.float32]:
    gain = np.ones(3)
    return image * gain"""
USED: Final = """\
image = np.ones(3, np.float32)
result = faded(image) * np.float64(2)
stored: NDArray[np.float32] = result"""
MISMATCH: Final = "promo-mismatch"


class Notebook:
    """A notebook that is open in an editor. Its first cell is Markdown."""

    def __init__(self, editor: Editor, file: Path, *cells: str) -> None:
        self._editor, self.uri = editor, file.as_uri()
        self._version = 1
        self.cells = [f"vscode-notebook-cell:{file.as_posix()}#W{number}" for number in range(len(cells) + 1)]
        texts = [
            types.TextDocumentItem(uri, "markdown" if number == 0 else "python", 1, text)
            for number, (uri, text) in enumerate(zip(self.cells, ("# A title", *cells), strict=True))
        ]
        document = types.NotebookDocument(self.uri, "jupyter-notebook", 1, [self._cell(uri) for uri in self.cells])
        editor.notebook_document_did_open(types.DidOpenNotebookDocumentParams(document, texts))

    def _cell(self, uri: str) -> types.NotebookCell:
        kind = types.NotebookCellKind.Markup if uri == self.cells[0] else types.NotebookCellKind.Code
        return types.NotebookCell(kind, uri)

    def _change(self, changes: types.NotebookDocumentCellChanges) -> None:
        self._version += 1
        document = types.VersionedNotebookDocumentIdentifier(self._version, self.uri)
        event = types.NotebookDocumentChangeEvent(cells=changes)
        self._editor.notebook_document_did_change(types.DidChangeNotebookDocumentParams(document, event))

    def write(self, uri: str, text: str) -> None:
        """Replace the text of a cell."""
        document = types.VersionedTextDocumentIdentifier(self._version + 1, uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        content = types.NotebookDocumentCellContentChanges(document, [change])
        self._change(types.NotebookDocumentCellChanges(text_content=[content]))

    def insert(self, place: int, text: str) -> str:
        """Insert a cell."""
        uri = f"{self.cells[0]}new{self._version}"
        self.cells.insert(place, uri)
        array = types.NotebookCellArrayChange(place, 0, [self._cell(uri)])
        item = types.TextDocumentItem(uri, "python", 1, text)
        self._change(
            types.NotebookDocumentCellChanges(structure=types.NotebookDocumentCellChangeStructure(array, [item], []))
        )
        return uri

    def remove(self, place: int) -> None:
        """Remove a cell."""
        gone = types.TextDocumentIdentifier(self.cells.pop(place))
        array = types.NotebookCellArrayChange(place, 1, [])
        self._change(
            types.NotebookDocumentCellChanges(structure=types.NotebookDocumentCellChangeStructure(array, [], [gone]))
        )

    def close(self) -> None:
        """Close the notebook."""
        cells = [types.TextDocumentIdentifier(uri) for uri in self.cells]
        identifier = types.NotebookDocumentIdentifier(self.uri)
        self._editor.notebook_document_did_close(types.DidCloseNotebookDocumentParams(identifier, cells))


def _lines(found: Sequence[types.Diagnostic]) -> list[tuple[int, int]]:
    return [(each.range.start.line, each.range.start.character) for each in found]


def test_cells_have_findings_hovers_hints_and_actions(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, gains="import numpy as np\nLIMIT = np.float64(2)\n")

    async def scenario() -> None:
        async with session(folder, cwd=tmp_path) as editor:
            notebook = Notebook(editor, folder / "fade.ipynb", IMPORTS, FADED, USED)
            _, imports, faded, used = notebook.cells
            (found,) = await editor.codes(faded, MISMATCH)
            assert _lines([found]) == [(2, 11)]
            assert "`gain` is float64: line 2 of cell 3 sets it to `np.ones(3)`" in found.message
            assert _lines(await editor.codes(used, MISMATCH)) == [(2, 30)]
            await editor.codes(imports)
            assert (2, 6, ": float64") not in await editor.hints(imports)
            assert await editor.hints(faded) == [(1, 8, ": float64"), (2, 23, "→ float64")]
            assert (1, 6, ": float64") in await editor.hints(used)
            hover = await editor.hover(used, 1, 10)
            assert hover is not None
            assert "float32" in hover
            assert await editor.hover(imports, 1, 8) is None
            # The edits are about the cells.
            edit = await editor.edit_of(used, 2, "Insert the cast result.astype(np.float32)")
            assert (edit.range.start.line, edit.range.start.character, edit.range.end.character) == (2, 30, 36)
            ignored = await editor.edit_of(faded, 2, "Ignore promo-mismatch in this line")
            assert (ignored.range.start.line, ignored.new_text) == (2, "  # promo: ignore[promo-mismatch]")
            notebook.write(faded, f"{FADED}{ignored.new_text}")
            await editor.codes(faded)
            # A cell that cannot be read for a moment keeps the findings of the others, and what it defines.
            notebook.write(used, f"{USED}\nx = (")
            notebook.write(imports, f"{IMPORTS}\n")
            await editor.codes(used, MISMATCH)
            notebook.write(used, USED.replace("np.float64(2)", "2"))
            await editor.codes(used)
            # Cells come and go; an edit in one of them changes the findings of others.
            added = notebook.insert(4, "!ls\nlast: NDArray[np.float32] = faded(image) * np.float64(1)")
            assert _lines(await editor.codes(added, MISMATCH)) == [(1, 28)]
            notebook.remove(4)
            await editor.codes(added)
            notebook.write(faded, FADED)
            await editor.codes(faded, MISMATCH)
            notebook.close()
            await editor.codes(faded)

    run(scenario())
