"""Start a worker for a folder, and exchange messages with it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from promo_mypy.lsp.messages import Answer, Checked, Edits, Hint, Hover, Progress


class WorkerDiedError(Exception):
    """The process has ended without an answer."""


class WorkerProcess:
    """A running worker for a folder. `progress` is called as by `Program`. What it prints goes to the editor's log."""

    def __init__(self, folder: Path, progress: Callable[[int], None]) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process: Final = context.Process(target=_serve, args=(theirs, folder), daemon=True)
        self._process.start()
        theirs.close()  # the end of the process ends the connection
        self._progress: Final = progress
        #: Waits for the answers, one after the other, also if the editor has cancelled its request.
        self._thread: Final = ThreadPoolExecutor(1)

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
        self._process.kill()

    async def _asked(self, method: str, *arguments: object) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._answer, loop, method, arguments)

    def _answer(self, loop: asyncio.AbstractEventLoop, method: str, arguments: tuple[object, ...]) -> Any:
        try:
            self._connection.send((method, arguments))
            while isinstance(message := self._connection.recv(), Progress):
                loop.call_soon_threadsafe(self._progress, message.done)
        except (EOFError, OSError) as error:
            raise WorkerDiedError from error
        return message


def _serve(connection: Connection, folder: Path) -> None:
    """Serve in the new process, which imports mypy."""
    from promo_mypy.lsp.worker import serve

    serve(connection, folder)
