"""The table of the requests and notifications that the server takes."""

from typing import Any

from lsprotocol import types

from promo_mypy.lsp.actions import ACCEPT
from promo_mypy.lsp.server import PromoServer
from promo_mypy.lsp.settings import SECTION


def serve(version: str) -> None:
    """Serve an editor on standard input and output until it ends the session."""
    server = made_server(version)
    try:
        server.start_io()
    finally:
        server.stop_all()


def made_server(version: str) -> PromoServer:
    """A server with all its features."""
    server = PromoServer(version)
    _follow_session(server)
    _follow_documents(server)
    _follow_notebooks(server)
    _follow_surroundings(server)
    _answer(server)
    return server


def _follow_session(server: PromoServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        options: Any = params.initialization_options
        server.configure(options.get(SECTION, options) if isinstance(options, dict) else None)

    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        await server.watch_files()

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.stop_all()


def _follow_documents(server: PromoServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.take(params.text_document.uri, is_urgent=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.take(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.saved(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.drop(params.text_document.uri)


def _follow_notebooks(server: PromoServer) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenNotebookDocumentParams) -> None:
        server.take_notebook(params.notebook_document.uri, is_urgent=True)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeNotebookDocumentParams) -> None:
        server.take_notebook(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveNotebookDocumentParams) -> None:
        server.saved(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseNotebookDocumentParams) -> None:
        server.drop(params.notebook_document.uri)


def _follow_surroundings(server: PromoServer) -> None:
    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: types.DidChangeConfigurationParams) -> None:
        section: Any = params.settings
        if isinstance(section, dict) and SECTION in section:
            server.configure(section[SECTION])
        else:
            await server.ask_settings()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: types.DidChangeWatchedFilesParams) -> None:
        server.changed_on_disk(list(params.changes))

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.leave([folder.uri for folder in params.event.removed])

    @server.command(ACCEPT)
    def accept(uri: str, line: int, code: str, message: str) -> None:
        server.accept(uri, line, code, message)


def _answer(server: PromoServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return await server.hover(params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        return await server.hints(params.text_document.uri, params.range)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return server.actions(params.text_document.uri, params.range)
