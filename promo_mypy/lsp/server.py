"""The language server: it passes notifications and requests of the editor to the folders, and their findings back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lsprotocol import types
from pygls.uris import to_fs_path

from promo_mypy.linting.baseline import BaselineError
from promo_mypy.lsp.actions import Actions
from promo_mypy.lsp.cells import OpenCells, Part
from promo_mypy.lsp.diagnostics import current_findings, diagnostic
from promo_mypy.lsp.editor import EditorServer
from promo_mypy.lsp.folder import Folder, OpenDocument
from promo_mypy.lsp.positions import Positions
from promo_mypy.lsp.projects import OPTION_FILES, root_of
from promo_mypy.lsp.settings import SECTION, Settings, read_settings
from promo_mypy.lsp.work_done import WorkDone

_PYTHON: Final = (".py", ".pyi")
_NOTEBOOK: Final = ".ipynb"
_WATCHED: Final = ("**/*.py", "**/*.pyi", *(f"**/{name}" for name in OPTION_FILES))


#: The notebooks that the server follows, with all cells: those of other kinds count in the numbers.
_NOTEBOOKS: Final = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithNotebook("jupyter-notebook")], save=True
)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A document of the editor: its folder, what is checked, and the part of it that the document is."""

    folder: Folder
    document: OpenDocument
    part: Part


class PromoServer(EditorServer):
    """The server with its folders."""

    def __init__(self, version: str) -> None:
        super().__init__("promo-mypy", version, notebook_document_sync=_NOTEBOOKS)
        self.settings = Settings()
        self._folders: Final[dict[Path, Folder]] = {}
        self._documents: Final[dict[str, Folder]] = {}
        self._notebooks: Final[dict[str, str]] = {}
        """Cell -> its notebook."""
        self._work_done: Final = WorkDone(self)

    # Notifications of the editor.

    def take(self, uri: str, *, is_urgent: bool = False) -> None:
        """A document has been opened or edited."""
        path = path_of(uri)
        text = self.workspace.get_text_document(uri)
        if path is not None and _is_python(path, text.language_id):
            folder, document = self._document(uri, path)
            folder.edit(document, text.source, is_urgent=is_urgent)

    def take_notebook(self, uri: str, *, is_urgent: bool = False) -> None:
        """A notebook has been opened, or one of its cells edited."""
        path, notebook = path_of(uri), self.workspace.get_notebook_document(notebook_uri=uri)
        if path is None or notebook is None:
            return
        folder, document = self._document(uri, path)
        before, document.cells = document.cells, OpenCells.of(self._python_cells(notebook), document.cells)
        self._notebooks.update(dict.fromkeys(document.cells.uris, uri))
        for gone in set(before.uris if before is not None else ()) - set(document.cells.uris):
            del self._notebooks[gone]
            self.publish(gone, [])
        folder.edit(document, document.cells.module.text, is_urgent=is_urgent)

    def _document(self, uri: str, path: Path) -> tuple[Folder, OpenDocument]:
        """A document that is or has just been opened, and its folder."""
        folder = self._documents.setdefault(uri, self._documents.get(uri) or self._folder_of(path))
        return folder, folder.documents.get(str(path)) or OpenDocument(uri, str(path))

    def _python_cells(self, notebook: types.NotebookDocument) -> Iterator[tuple[int, str, str]]:
        """The number, the name and the text of each cell with Python."""
        for number, cell in enumerate(notebook.cells, start=1):
            text = self.workspace.get_text_document(cell.document)
            if cell.kind is types.NotebookCellKind.Code and text.language_id in (None, "python"):
                yield number, cell.document, text.source

    def drop(self, uri: str) -> None:
        """A document or a notebook has been closed."""
        path, folder = path_of(uri), self._documents.pop(uri, None)
        if path is not None and folder is not None:
            self._clear(folder.documents.get(str(path)))
            folder.close(str(path))

    def saved(self, uri: str) -> None:
        """A document has been saved."""
        folder = self._documents.get(uri)
        if folder is not None:
            folder.check_now()

    def changed_on_disk(self, changes: Iterable[types.FileEvent]) -> None:
        """Files have changed outside the editor, or by it."""
        for change in changes:
            path = path_of(change.uri)
            if path is None or change.uri in self._documents:
                continue
            for root, folder in self._folders.items():
                is_option = path.name in OPTION_FILES
                if not path.is_relative_to(root) and not (is_option and root.is_relative_to(path.parent)):
                    continue
                if is_option or change.type is not types.FileChangeType.Changed:
                    folder.start_anew()
                else:
                    folder.saved(str(path))

    async def configured(self, params: types.DidChangeConfigurationParams) -> None:
        """The settings of the editor have changed. Some editors send them, others want to be asked."""
        section: Any = params.settings
        if isinstance(section, dict) and SECTION in section:
            self.configure(section)
        else:
            await self._ask_settings()

    async def started(self, _params: types.InitializedParams) -> None:
        """The session has begun."""
        await self.watch(_WATCHED)
        await self._ask_settings()

    async def _ask_settings(self) -> None:
        found = await self.asked_settings(SECTION)
        if found is not None:
            self.configure(found)

    def configure(self, settings: Any) -> None:
        """Take the settings of the editor, or their section `promo-mypy`."""
        before = self.settings
        self.settings, faults = read_settings(settings.get(SECTION, settings) if isinstance(settings, dict) else None)
        for fault in faults:
            self.show(fault)
        if before.of_checks != self.settings.of_checks:
            for folder in self._folders.values():
                folder.start_anew(self.settings)
        if before.of_hints != self.settings.of_hints:
            self.refresh_hints()

    def leave(self, folders: Iterable[types.WorkspaceFolder]) -> None:
        """Folders have been removed from the editor."""
        for removed in folders:
            root = path_of(removed.uri)
            folder = self._folders.pop(root, None) if root is not None else None
            if folder is not None:
                folder.stop()
                for document in folder.documents.values():
                    self._documents.pop(document.uri, None)
                    self._clear(document)

    def stop_all(self) -> None:
        """End all workers."""
        for folder in self._folders.values():
            folder.stop()

    # Requests of the editor.

    async def hints(self, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        """The hints in a range that the settings allow."""
        wanted, uri = params.range, params.text_document.uri
        opened = self._opened(uri)
        found = await opened.folder.hints(opened.document.path) if opened is not None else None
        if found is None:
            return None
        document, shift, hints = found
        part = document.part(uri)
        if part is None:
            return None
        shown, positions = [], self._positions(document, part)
        for hint in hints:
            line = shift.line(hint.line)
            if line is None or document.part_at(line) != part:
                continue
            if not wanted.start.line < line - part.above <= wanted.end.line + 1:
                continue
            if not self.settings.show(is_operator=hint.is_operator, is_repeated=hint.is_repeated):
                continue
            shown.append(
                types.InlayHint(
                    position=positions.position(line, hint.column),
                    label=f"→ {hint.dtype}" if hint.is_operator else f": {hint.dtype}",
                    kind=None if hint.is_operator else types.InlayHintKind.Type,
                    padding_left=hint.is_operator,
                )
            )
        return shown

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """The dtype of the expression at a position, and where it comes from."""
        opened, position = self._opened(params.text_document.uri), params.position
        if opened is None:
            return None
        place = self._positions(opened.document, opened.part).place(position)
        found = await opened.folder.hover(opened.document.path, *place)
        if found is None:
            return None
        document, shift, hover = found
        span = shift.span(hover.span)
        contents = types.MarkupContent(types.MarkupKind.Markdown, hover.markdown)
        positions = self._positions(document, opened.part)
        return types.Hover(contents, positions.range(span) if span is not None else None)

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done about the findings in a range."""
        opened, wanted = self._opened(params.text_document.uri), params.range
        if opened is None:
            return []
        part, document = opened.part, opened.document
        actions = Actions(self._positions(document, part), opened.folder.baseline)
        first, last = wanted.start.line + part.above + 1, wanted.end.line + part.above + 1
        return [
            action
            for finding in current_findings(document)
            if document.part_at(finding.span.line) == part
            if finding.span.line <= last and first <= finding.span.end_line
            for action in actions.of(finding)
        ]

    def accept(self, uri: str, line: int, code: str, message: str) -> None:
        """Add a finding to the baseline."""
        opened = self._opened(uri)
        if opened is None:
            return
        for finding in current_findings(opened.document):
            if (finding.span.line, finding.code, finding.message) == (line, code, message):
                try:
                    opened.folder.accept(finding)
                except BaselineError as error:
                    self.show(str(error))
                return

    # Events of the folders.

    def checked(self, folder: Folder) -> None:
        """Show the findings of a folder."""
        self._work_done.end(folder.root)
        for document in folder.documents.values():
            found = [(document.part_at(each.span.line), each) for each in current_findings(document)]
            for part in document.parts:
                positions = self._positions(document, part)
                shown = [diagnostic(each, positions) for place, each in found if place == part]
                self.publish(part.uri, shown)
        self.refresh_hints()

    def progressed(self, folder: Folder, done: int) -> None:
        """Show the progress of a run from the start."""
        self._work_done.report(folder.root, done)

    def failed(self, folder: Folder, message: str) -> None:
        """Show why there are no findings."""
        self._work_done.end(folder.root)
        self.show(message)

    def _folder_of(self, path: Path) -> Folder:
        named = filter(None, (path_of(uri) for uri in self.workspace.folders))
        roots = [root for root in named if path.is_relative_to(root)]
        root = max(roots, key=lambda each: len(each.parts)) if roots else root_of(path)
        if root not in self._folders:
            self._folders[root] = Folder(root, self.settings, self)
        return self._folders[root]

    def _opened(self, uri: str) -> "_Opened | None":
        """What a document of the editor is a part of; None for one that is not checked."""
        owner = self._notebooks.get(uri, uri)
        folder = self._documents.get(owner)
        document = folder.documents.get(str(path_of(owner))) if folder is not None else None
        if folder is None or document is None:
            return None
        part = document.part(uri)
        return _Opened(folder, document, part) if part is not None else None

    def _positions(self, document: OpenDocument, part: Part) -> Positions:
        return Positions(document.lines, part, self.workspace.position_codec)

    def _clear(self, document: OpenDocument | None) -> None:
        """Show no findings in a document any more."""
        for part in document.parts if document is not None else ():
            self._notebooks.pop(part.uri, None)
            self.publish(part.uri, [])


def _is_python(path: Path, language: str | None) -> bool:
    """Whether a document is Python. The editor of Jupyter sends the code of a notebook under the notebook's name."""
    return path.suffix in _PYTHON or (path.suffix == _NOTEBOOK and language == "python")


def path_of(uri: str) -> Path | None:
    """The file of a URI, without links; None for any other URI."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path).resolve() if path is not None else None
