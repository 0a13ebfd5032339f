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

    def report(self, folder: Path, done: int) -> None:
        """mypy has checked that many modules."""
        window = self._server.client_capabilities.window
        if window is None or not window.work_done_progress:
            return
        progress = self._server.work_done_progress
        if folder not in self._tokens:
            token = self._tokens[folder] = uuid.uuid4().hex
            begin = types.WorkDoneProgressBegin(title=f"promo-mypy: {folder.name}", message="reading the libraries")
            progress.create(token, lambda _result: progress.begin(token, begin))
        elif self._tokens[folder] in progress.tokens:
            message = f"{done} modules"
            progress.report(self._tokens[folder], types.WorkDoneProgressReport(message=message))

    def end(self, folder: Path) -> None:
        """The run is over."""
        token = self._tokens.pop(folder, None)
        if token is not None:
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())
