"""`python -m promo_mypy.lsp.worker`: run mypy for one folder, the current one, and answer the server on stdout.

mypy and the plugin keep state for the whole process, so folders with different options cannot share one.
"""

import os
import sys
from collections.abc import Callable
from typing import BinaryIO, Final

from promo_mypy.checking.runs import CheckError
from promo_mypy.config import ConfigError
from promo_mypy.linting.request import LintRequest
from promo_mypy.lsp.channel import packed, received
from promo_mypy.lsp.hints import hints_of
from promo_mypy.lsp.hovers import hover_at
from promo_mypy.lsp.messages import Answer, Checked, Edits, FromWorker, HintsAsked, HoverAsked, Progress, Result, ToWorker
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
            case HintsAsked(number, path):
                file = self._program.file(path)
                if file is None or file.checked is None:
                    self._send(Answer(number, -1, None))
                else:
                    self._send(Answer(number, file.checked.document.version, hints_of(self._program.values(file))))
            case HoverAsked(number, path, line, column):
                file = self._program.file(path)
                if file is None or file.checked is None:
                    self._send(Answer(number, -1, None))
                else:
                    options = self._program.config().for_module(file.module)
                    found = hover_at(self._program.values(file), options, line, column)
                    self._send(Answer(number, file.checked.document.version, found))

    def _checked(self, edits: Edits) -> Checked:
        self._request = edits.anew or self._request
        try:
            try:
                self._program.update(edits)
            except (CheckError, ConfigError):
                raise
            except (Exception, SystemExit):
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
            )
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
