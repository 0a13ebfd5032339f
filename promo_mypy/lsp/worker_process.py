"""Start a worker for a folder, and exchange messages with it."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from promo_mypy.lsp.channel import LENGTH, packed, unpacked
from promo_mypy.lsp.messages import Answer, Asked, Checked, Edits, Hint, Hover, Progress, Replied

#: A module of the folder must not be imported in place of one of Python's: `-P` keeps the folder off the path.
_COMMAND: Final = (sys.executable, "-P", "-m", "promo_mypy.lsp.worker")


class WorkerDiedError(Exception):
    """The process has ended without an answer."""


class WorkerProcess:
    """A running worker. `progress` is called as by `Program`."""

    def __init__(self, process: Process, progress: Callable[[int], None]) -> None:
        self._process: Final = process
        self._progress: Final = progress
        self._waiting: Final[deque[asyncio.Future[Any]]] = deque()
        self._listening: Final = asyncio.ensure_future(self._listen())

    @classmethod
    async def started(cls, folder: Path, progress: Callable[[int], None]) -> "WorkerProcess":
        """Start a worker. What it prints goes to the log of the editor."""
        return cls(await asyncio.create_subprocess_exec(*_COMMAND, stdin=PIPE, stdout=PIPE, cwd=folder), progress)

    async def check(self, edits: Edits) -> Checked:
        """Check what has changed. Raises WorkerDiedError: there will be no answer."""
        checked: Checked = await self._asked("check", edits)
        return checked

    async def hints(self, path: str) -> Answer[tuple[Hint, ...]]:
        """The hints of a document. Raises WorkerDiedError."""
        answer: Answer[tuple[Hint, ...]] = await self._asked("hints", path)
        return answer

    async def hover(self, path: str, line: int, column: int) -> Answer[Hover]:
        """The dtype of the expression at a place, and where it comes from. Raises WorkerDiedError."""
        answer: Answer[Hover] = await self._asked("hover", path, line, column)
        return answer

    def stop(self) -> None:
        """End the process."""
        if self._process.returncode is None:
            self._process.kill()

    async def _asked(self, method: str, *arguments: object) -> Any:
        if self._listening.done() or self._process.stdin is None:
            raise WorkerDiedError
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        self._process.stdin.write(packed(Asked(method, arguments)))
        return await future

    async def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        try:
            while True:
                (length,) = LENGTH.unpack(await stream.readexactly(LENGTH.size))
                self._take(unpacked(await stream.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            await self._process.wait()
        finally:
            for future in self._waiting:
                if not future.done():
                    future.set_exception(WorkerDiedError())
            self._waiting.clear()

    def _take(self, message: Progress | Replied) -> None:
        if isinstance(message, Progress):
            self._progress(message.done)
            return
        future = self._waiting.popleft()
        if not future.done():  # the editor may have cancelled its request
            future.set_result(message.value)
