"""`python -m promo_mypy.lsp.worker`: run mypy for one folder, the current one, and answer the server on stdout.

mypy and the plugin keep state for the whole process, so folders with different options cannot share one.
"""

import os
import sys
import traceback
from collections.abc import Callable
from typing import BinaryIO, Final

from promo_mypy.checking.runs import CheckError
from promo_mypy.config import ConfigError
from promo_mypy.linting.request import LintRequest
from promo_mypy.lsp.channel import packed, received
from promo_mypy.lsp.hints import hints_of
from promo_mypy.lsp.hovers import hover_at
from promo_mypy.lsp.messages import (
    Answer,
    Checked,
    Edits,
    FromWorker,
    Hint,
    HintsAsked,
    Hover,
    HoverAsked,
    Progress,
    Result,
    ToWorker,
)
from promo_mypy.lsp.open_files import OpenFile
from promo_mypy.lsp.program import Program

#: mypy recurses into long expressions, and sets the same limit when it is run as a command.
_DEEPEST: Final = 2**14


class Worker:
    """Answers the messages of the server, one after the other."""

    def __init__(self, send: Callable[[FromWorker], None]) -> None:
        self._send = send
        self._request: LintRequest | None = None
        self._program = Program(lambda done: send(Progress(done)))

    def answer(self, message: ToWorker) -> None:
        """Answer one message."""
        match message:
            case Edits():
                self._send(self._checked(message))
            case HintsAsked() | HoverAsked():
                self._send(self._answer(message))

    def _answer(self, question: HintsAsked | HoverAsked) -> Answer:
        file = self._program.file(question.path)
        if file is None or file.checked is None:
            return Answer(question.number, -1, None)
        try:
            found = self._found(question, file)
        except Exception:  # a defect in a hover should not cost the run of mypy
            traceback.print_exc()
            found = None
        return Answer(question.number, file.checked.document.version, found)

    def _found(self, question: HintsAsked | HoverAsked, file: OpenFile) -> tuple[Hint, ...] | Hover | None:
        values = self._program.followed(file)
        if isinstance(question, HintsAsked):
            file.hints = hints_of(values) if file.hints is None else file.hints
            return file.hints
        return hover_at(values, self._program.config().for_module(file.module), question.line, question.column)

    def _checked(self, edits: Edits) -> Checked:
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


def main() -> None:
    """Answer until the server closes the pipe."""
    sys.setrecursionlimit(_DEEPEST)
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever prints does so on stderr: stdout belongs to the messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    worker = Worker(lambda message: _write(output, message))
    for message in received(sys.stdin.buffer):
        worker.answer(message)


def _write(output: BinaryIO, message: FromWorker) -> None:
    output.write(packed(message))
    output.flush()


if __name__ == "__main__":
    main()
