"""One folder of the editor: its open documents, its worker, and the last findings of the worker."""

import asyncio
import contextlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from promo_mypy.config import ConfigError
from promo_mypy.linting import baseline as baselines
from promo_mypy.lsp.cells import OpenCells, Part
from promo_mypy.lsp.line_shift import LineShift
from promo_mypy.lsp.messages import Checked, Document, Edits, Hint, Hover
from promo_mypy.lsp.projects import FolderCheck, check_of, option_stamps
from promo_mypy.lsp.settings import Settings
from promo_mypy.lsp.worker_process import WorkerDiedError, WorkerProcess
from promo_mypy.rules.findings import Finding

#: The least number of seconds to wait for the next keystroke.
_PAUSE: Final = 0.05
#: The wait as a part of the time that the last check took, where that is longer.
_PAUSE_PART: Final = 0.2
#: If only one function of a file was checked: seconds without a keystroke after which the rest is checked.
_REST: Final = 0.8
#: A worker that dies so often in a row is not started again before the next edit.
_MOST_DEATHS: Final = 3


@dataclass(slots=True)
class OpenDocument:
    """A document that is open in the editor.

    Attributes:
        uri: its name in the protocol.
        path: the file, without links.
        version: the number of its text in the exchange with the worker.
        lines: its lines.
        sent: version -> lines, for the text that the worker has checked last and for the one that it is checking.
        findings: the last findings. They are about the first of these texts.
        hints: the last hints, and their version.
        cells: the cells of a notebook; None for any other document.
    """

    uri: str
    path: str
    version: int = 0
    lines: list[str] = field(default_factory=list)
    sent: dict[int, list[str]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    hints: tuple[Hint, ...] = ()
    hints_version: int = -1
    cells: OpenCells | None = None

    @property
    def parts(self) -> list[Part]:
        """The documents of the editor that make up this one: its cells, or itself."""
        return list(self.cells.parts) if self.cells is not None else [Part(self.uri)]

    def part(self, uri: str) -> Part | None:
        """The one of that name."""
        return next((part for part in self.parts if part.uri == uri), None)

    def part_at(self, line: int) -> Part | None:
        """The document of the editor that has a line, from 1; None for a line between cells."""
        return next((part for part in self.parts if part.above < line <= part.above + part.count), None)

    def shift(self, version: int) -> LineShift | None:
        """Where the lines of an older version are now; None for one that is not kept."""
        lines = self.sent.get(version)
        return LineShift(lines, self.lines) if lines is not None else None


class FolderEvents(Protocol):
    """What the server learns from a folder."""

    def checked(self, folder: "Folder") -> None:
        """The findings are new."""

    def progressed(self, folder: "Folder", done: int) -> None:
        """mypy has checked that many modules in a run from the start."""

    def failed(self, folder: "Folder", message: str) -> None:
        """There are no findings, for a reason that the user can change."""


class Folder:
    """A folder with open documents."""

    def __init__(self, root: Path, settings: Settings, events: FolderEvents) -> None:
        self.root: Final = root
        self.documents: Final[dict[str, OpenDocument]] = {}
        self.baseline: Path | None = None
        self._settings = settings
        self._events: Final = events
        self._worker: WorkerProcess | None = None
        self._check: FolderCheck | None = None
        self._is_anew = True
        self._texts: Final[dict[str, str]] = {}
        self._edited: Final[set[str]] = set()
        self._closed: Final[set[str]] = set()
        self._saved: Final[set[str]] = set()
        self._wanted: Final = asyncio.Event()
        self._is_urgent = False
        self._has_findings = self._is_partial = False
        self._deaths = 0
        self._version = 0
        self._took = 0.0
        self._loop: Final = asyncio.ensure_future(self._run())

    def edit(self, document: OpenDocument, text: str, *, is_urgent: bool = False) -> None:
        """Take a new text of a document, and check it soon, or at once."""
        self._version += 1
        document.version = self._version
        document.lines = lines_of(text)
        self.documents[document.path] = document
        self._edited.add(document.path)
        self._texts[document.path] = text
        self._deaths = 0
        self._want(is_urgent=is_urgent)

    def close(self, path: str) -> None:
        """A document has been closed."""
        self.documents.pop(path, None)
        self._texts.pop(path, None)
        self._edited.discard(path)
        self._closed.add(path)
        self._want()

    def saved(self, path: str) -> None:
        """A file that is not open has changed."""
        if path not in self.documents:
            self._saved.add(path)
            self._want()

    def start_anew(self, settings: Settings | None = None) -> None:
        """The options, the settings, or the set of files have changed."""
        self._settings = settings or self._settings
        self._is_anew = True
        self._deaths = 0
        self._want()

    def check_now(self) -> None:
        """Do not wait for the next keystroke: a document has been saved."""
        self._want(is_urgent=True)

    async def hints(self, path: str) -> tuple[OpenDocument, LineShift, tuple[Hint, ...]] | None:
        """The last good hints of a document, and where their lines are now."""
        answer = None
        if self._worker is not None and self._has_findings:
            with contextlib.suppress(WorkerDiedError):
                answer = await self._worker.hints(path)
        document = self.documents.get(path)
        if document is None:
            return None
        if answer is not None and answer.value is not None:
            document.hints, document.hints_version = answer.value, answer.version
        shift = document.shift(document.hints_version)
        return (document, shift, document.hints) if shift is not None else None

    async def hover(self, path: str, line: int, column: int) -> tuple[OpenDocument, LineShift, Hover] | None:
        """The dtype of the expression at a place of the newest text, and where it comes from."""
        document = self.documents.get(path)
        if document is None or self._worker is None or not self._has_findings:
            return None
        for version, lines in list(document.sent.items()):
            older = LineShift(document.lines, lines).line(line)
            if older is None:
                continue
            with contextlib.suppress(WorkerDiedError):
                answer = await self._worker.hover(path, older, column)
                shift = document.shift(version)
                if answer.version == version and answer.value is not None and shift is not None:
                    return document, shift, answer.value
        return None

    def accept(self, finding: Finding) -> None:
        """Add a finding to the baseline. Raises BaselineError."""
        if self.baseline is not None:
            baselines.add(finding, self.baseline)
            self._want(is_urgent=True)

    def stop(self) -> None:
        """End the worker."""
        self._loop.cancel()
        if self._worker is not None:
            self._worker.stop()

    def _want(self, *, is_urgent: bool = False) -> None:
        self._is_urgent = self._is_urgent or is_urgent
        self._wanted.set()

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_REST if self._is_partial else None):
                    await self._wanted.wait()
            if self._wanted.is_set() and not self._is_urgent:
                await asyncio.sleep(max(_PAUSE, _PAUSE_PART * self._took))
            self._wanted.clear()
            self._is_urgent = False
            if self._check is not None and option_stamps(self.root) != self._check.stamps:
                self._is_anew = True
            try:
                await self._check_once()
            except ConfigError as error:
                self._events.failed(self, str(error))
            except baselines.BaselineError as error:
                self._events.failed(self, str(error))
            except (WorkerDiedError, OSError):
                self._recover()

    async def _check_once(self) -> None:
        if not self.documents and self._worker is None:
            return
        if self._is_anew or self._check is None:
            self._check = check_of(self.root, self._settings)
            self.baseline = self._check.baseline
        if self._worker is None:
            self._worker = WorkerProcess(self.root, lambda done: self._events.progressed(self, done))
        edits = self._taken()
        started = asyncio.get_running_loop().time()
        checked = await self._worker.check(edits)
        self._took = asyncio.get_running_loop().time() - started
        self._keep(checked)

    def _taken(self) -> Edits:
        """The edits that the worker has not got yet."""
        assert self._check is not None
        documents = tuple(
            Document(path, known.version, self._texts[path], known.cells.module if known.cells is not None else None)
            for path in sorted(self._edited)
            if (known := self.documents.get(path)) is not None
        )
        closed = tuple(sorted(self._closed - set(self.documents)))
        for each in documents:
            self.documents[each.path].sent[each.version] = self.documents[each.path].lines
        edits = Edits(documents, closed, tuple(sorted(self._saved)), self._check.request if self._is_anew else None)
        self._edited.clear()
        self._closed.clear()
        self._saved.clear()
        self._is_anew = False
        return edits

    def _keep(self, checked: Checked) -> None:
        self._deaths = 0
        self._is_partial = checked.is_partial
        if checked.failure:
            self._events.failed(self, checked.failure)
            return
        self._has_findings = True
        results = {result.path: result for result in checked.results}
        for document in self.documents.values():
            result = results.get(document.path)
            if result is None:  # its text cannot be parsed, and none could before
                document.sent.clear()
                continue
            document.findings = self._without_accepted(result.findings)
            document.sent = {version: text for version, text in document.sent.items() if version == result.version}
        self._events.checked(self)

    def _without_accepted(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        if self.baseline is None or not self.baseline.exists():
            return findings
        return baselines.compare(findings, self.baseline).new

    def _recover(self) -> None:
        """Start another worker, which gets all texts again."""
        if self._worker is not None:
            self._worker.stop()
        self._worker = None
        self._is_anew, self._is_partial = True, False
        self._edited.update(self.documents)
        self._deaths += 1
        if self._deaths < _MOST_DEATHS:
            self._want()
        else:
            self._events.failed(self, "the process that runs mypy has ended; the next edit starts it again")


def lines_of(text: str) -> list[str]:
    """The lines of a text, as the protocol counts them."""
    return re.split(r"\r\n|\n|\r", text)
