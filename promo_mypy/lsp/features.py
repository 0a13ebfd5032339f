"""The table of the requests and notifications that the server takes."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from lsprotocol import types

from promo_mypy.lsp.actions import ACCEPT
from promo_mypy.lsp.server import PromoServer

#: Request or notification -> what the server does with its parameters.
FEATURES: Final[Mapping[str, Callable[[PromoServer, Any], Any]]] = {
    types.INITIALIZE: lambda server, params: server.configure(params.initialization_options),
    types.INITIALIZED: PromoServer.started,
    types.SHUTDOWN: lambda server, _params: server.stop_all(),
    types.TEXT_DOCUMENT_DID_OPEN: lambda server, params: server.take(params.text_document.uri, is_urgent=True),
    types.TEXT_DOCUMENT_DID_CHANGE: lambda server, params: server.take(params.text_document.uri),
    types.TEXT_DOCUMENT_DID_SAVE: lambda server, params: server.saved(params.text_document.uri),
    types.TEXT_DOCUMENT_DID_CLOSE: lambda server, params: server.drop(params.text_document.uri),
    types.NOTEBOOK_DOCUMENT_DID_OPEN: (
        lambda server, params: server.take_notebook(params.notebook_document.uri, is_urgent=True)
    ),
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: lambda server, params: server.take_notebook(params.notebook_document.uri),
    types.NOTEBOOK_DOCUMENT_DID_SAVE: lambda server, params: server.saved(params.notebook_document.uri),
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: lambda server, params: server.drop(params.notebook_document.uri),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: PromoServer.configured,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: lambda server, params: server.changed_on_disk(params.changes),
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: lambda server, params: server.leave(params.event.removed),
    types.TEXT_DOCUMENT_HOVER: PromoServer.hover,
    types.TEXT_DOCUMENT_INLAY_HINT: PromoServer.hints,
    types.TEXT_DOCUMENT_CODE_ACTION: PromoServer.actions,
}
_OPTIONS: Final[Mapping[str, Any]] = {
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
}


def serve(version: str) -> None:
    """Serve an editor on standard input and output until it ends the session."""
    server = PromoServer(version)
    for name, feature in FEATURES.items():
        server.feature(name, _OPTIONS.get(name))(partial(feature, server))

    @server.command(ACCEPT)
    def accept(uri: str, line: int, code: str, message: str) -> None:
        server.accept(uri, line, code, message)

    try:
        server.start_io()
    finally:
        server.stop_all()
