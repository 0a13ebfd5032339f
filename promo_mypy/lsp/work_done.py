"""Show in the editor that mypy reads a folder and its libraries for the first time."""

import uuid
from pathlib import Path
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer


class WorkDone:
    """The progress of the runs from the start, one for each folder."""

    def __init__(self, server: LanguageServer) -> None:
        self._server: Final = server
        self._tokens: Final[dict[Path, str]] = {}
        self._done: Final[dict[Path, int]] = {}

    def report(self, folder: Path, done: int) -> None:
        """mypy has checked that many modules."""
        window = self._server.client_capabilities.window
        if window is None or not window.work_done_progress:
            return
        self._done[folder] = done
        if folder not in self._tokens:
            token = self._tokens[folder] = uuid.uuid4().hex
            self._server.work_done_progress.create(token, lambda _result: self._begin(folder, token))
        elif self._tokens[folder] in self._server.work_done_progress.tokens:
            self._report(folder, self._tokens[folder])

    def end(self, folder: Path) -> None:
        """The run is over."""
        token = self._tokens.pop(folder, None)
        if token is not None and token in self._server.work_done_progress.tokens:
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())

    def _begin(self, folder: Path, token: str) -> None:
        """The editor is ready to show it."""
        title = f"promo-mypy: {folder.name}"
        self._server.work_done_progress.begin(token, types.WorkDoneProgressBegin(title=title))
        self._report(folder, token)
        if self._tokens.get(folder) != token:  # the run was shorter than the way to the editor and back
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())

    def _report(self, folder: Path, token: str) -> None:
        modules = "1 module" if self._done[folder] == 1 else f"{self._done[folder]} modules"
        report = types.WorkDoneProgressReport(message=f"{modules} checked")
        self._server.work_done_progress.report(token, report)
