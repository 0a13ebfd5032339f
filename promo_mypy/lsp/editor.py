"""Ask the editor for what it can do: report changed files, tell its settings, show findings and messages."""

from collections.abc import Iterable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer


class EditorServer(LanguageServer):
    """A server that asks its editor only for what the editor can do."""

    async def watch(self, patterns: Iterable[str]) -> None:
        """Ask it to report changes of such files."""
        workspace = self.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions(
                [types.FileSystemWatcher(each) for each in patterns]
            )
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await self.client_register_capability_async(types.RegistrationParams([registration]))

    async def asked_settings(self, section: str) -> Any:
        """A section of its settings; None if it tells none."""
        workspace = self.client_capabilities.workspace
        if workspace is None or not workspace.configuration:
            return None
        asked = types.ConfigurationParams([types.ConfigurationItem(section=section)])
        return next(iter(await self.workspace_configuration_async(asked)), None)

    def publish(self, uri: str, diagnostics: list[types.Diagnostic]) -> None:
        """Show the findings in a document, in place of earlier ones."""
        version = self.workspace.get_text_document(uri).version if uri in self.workspace.text_documents else None
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def refresh_hints(self) -> None:
        """Have it ask for all hints again."""
        workspace = self.client_capabilities.workspace
        hints = workspace.inlay_hint if workspace is not None else None
        if hints is not None and hints.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def show(self, message: str) -> None:
        """Show a warning."""
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"promo-mypy: {message}"))
