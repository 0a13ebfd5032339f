"""Run mypy for one folder, in a process of its own, and answer the server.

mypy and the plugin keep state for the whole process, so folders with different options cannot share one.
"""

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from promo_mypy.checking.runs import CheckError
from promo_mypy.config import ConfigError
from promo_mypy.linting.request import LintRequest
from promo_mypy.lsp.hints import hints_of
from promo_mypy.lsp.hovers import hover_at
from promo_mypy.lsp.messages import Answer, Checked, Edits, Hint, Hover, Progress, Result, Value
from promo_mypy.lsp.open_files import OpenFile
from promo_mypy.lsp.program import Program

#: mypy recurses into long expressions, and sets the same limit when it is run as a command.
_DEEPEST: Final = 2**14


class Worker:
    """Checks what the server sends, and answers questions about it. `progress`: called as by `Program`."""

    def __init__(self, progress: Callable[[int], None]) -> None:
        self._request: LintRequest | None = None
        self._program = Program(progress)

    def hints(self, path: str) -> Answer[tuple[Hint, ...]]:
        """The hints of a document."""
        return self._answer(path, self._hints)

    def hover(self, path: str, line: int, column: int) -> Answer[Hover]:
        """The dtype at a place; line and column count from 1, columns in characters."""
        return self._answer(path, lambda file: self._hover(file, line, column))

    def _answer(self, path: str, find: Callable[[OpenFile], Value | None]) -> Answer[Value]:
        file = self._program.file(path)
        if file is None or file.checked is None:
            return Answer(-1, None)
        try:
            found = find(file)
        except Exception:  # a defect in a hover should not cost the run of mypy
            traceback.print_exc()
            found = None
        return Answer(file.checked.document.version, found)

    def _hints(self, file: OpenFile) -> tuple[Hint, ...]:
        if file.hints is None:
            file.hints = hints_of(self._program.values(file).followed)
        return file.hints

    def _hover(self, file: OpenFile, line: int, column: int) -> Hover | None:
        options = self._program.config().for_module(file.module)
        return hover_at(self._program.values(file).followed, options, line, column)

    def check(self, edits: Edits) -> Checked:
        """Check what has changed."""
        self._request = edits.anew or self._request
        try:
            try:
                self._program.update(edits)
            except (CheckError, ConfigError):
                raise
            except (Exception, SystemExit):
                traceback.print_exc()
                # A step of mypy's daemon has failed. A run from the start does not need its state.
                self._program.update(Edits(anew=self._request))
        except (CheckError, ConfigError) as error:
            return Checked((), str(error))
        except (Exception, SystemExit) as error:
            return Checked((), f"internal error: {type(error).__name__}: {error}".splitlines()[0])
        return Checked(
            tuple(
                Result(file.path, file.checked.document.version, self._program.findings(file))
                for file in self._program.files
                if file.checked is not None
            ),
            is_partial=self._program.is_partly_checked,
        )


def serve(connection: Connection, folder: Path) -> None:
    """Answer until the server closes the connection: calls of methods of the worker, in their order."""
    sys.setrecursionlimit(_DEEPEST)
    os.chdir(folder)
    # Whatever prints does so on stderr: stdout belongs to the server.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    worker = Worker(lambda done: connection.send(Progress(done)))
    with suppress(EOFError):
        while True:
            method, arguments = connection.recv()
            connection.send(getattr(worker, method)(*arguments))
