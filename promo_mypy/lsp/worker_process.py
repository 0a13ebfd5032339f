"""Start a worker for a folder, and exchange messages with it."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from promo_mypy.lsp.channel import LENGTH, packed, unpacked
from promo_mypy.lsp.messages import Answer, Checked, Edits, HintsAsked, HoverAsked, Progress

#: A module of the folder must not be imported in place of one of Python's: `-P` keeps the folder off the path.
_COMMAND: Final = (sys.executable, "-P", "-m", "promo_mypy.lsp.worker")


class WorkerDiedError(Exception):
    """The process has ended without an answer."""


class WorkerProcess:
    """A running worker.

    Args:
        process: the process.
        progress: called with the number of modules that mypy has checked in a run from the start.
    """

    def __init__(self, process: Process, progress: Callable[[int], None]) -> None:
        self._process: Final = process
        self._progress: Final = progress
        self._checks: Final[list[asyncio.Future[Checked]]] = []
        self._questions: Final[dict[int, asyncio.Future[Answer]]] = {}
        self._number = 0
        self._listening: Final = asyncio.ensure_future(self._listen())

    @classmethod
    async def started(cls, folder: Path, progress: Callable[[int], None]) -> "WorkerProcess":
        """Start a worker. What it prints goes to the log of the editor."""
        return cls(await asyncio.create_subprocess_exec(*_COMMAND, stdin=PIPE, stdout=PIPE, cwd=folder), progress)

    async def check(self, edits: Edits) -> Checked:
        """Check what has changed.

        Raises:
            WorkerDiedError: there will be no answer.
        """
        future: asyncio.Future[Checked] = asyncio.get_running_loop().create_future()
        self._checks.append(future)
        self._send(edits)
        return await future

    async def hints(self, path: str) -> Answer:
        """The hints of a document. Raises WorkerDiedError."""
        return await self._asked(HintsAsked(self._next_number(), path))

    async def hover(self, path: str, line: int, column: int) -> Answer:
        """The dtype of the expression at a place, and where it comes from. Raises WorkerDiedError."""
        return await self._asked(HoverAsked(self._next_number(), path, line, column))

    def stop(self) -> None:
        """End the process."""
        if self._process.returncode is None:
            self._process.kill()

    async def _asked(self, question: HintsAsked | HoverAsked) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._questions[question.number] = future
        self._send(question)
        return await future

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    def _send(self, message: Edits | HintsAsked | HoverAsked) -> None:
        if self._listening.done() or self._process.stdin is None:
            raise WorkerDiedError
        self._process.stdin.write(packed(message))

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
            waiting: list[asyncio.Future[Any]] = [*self._checks, *self._questions.values()]
            for future in waiting:
                if not future.done():
                    future.set_exception(WorkerDiedError())
            self._checks.clear()
            self._questions.clear()

    def _take(self, message: Any) -> None:
        match message:
            case Progress(done):
                self._progress(done)
            case Checked():
                _settle(self._checks.pop(0), message)
            case Answer(number):
                _settle(self._questions.pop(number), message)


def _settle(future: "asyncio.Future[Any]", value: object) -> None:
    if not future.done():  # the editor may have cancelled its request
        future.set_result(value)
