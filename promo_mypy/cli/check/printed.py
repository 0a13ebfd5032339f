"""Keep what a check printed, so that an unchanged one prints it again at once (`promo_mypy.cli.repeated`).

It holds as long as the facts of the report, and as long as the options and the files under the paths are the same.
"""

import contextlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from promo_mypy.checking.kept.facts import Facts, Listing, gathered
from promo_mypy.checking.kept.questions import loaded_code
from promo_mypy.checking.kept.stamps import is_younger, status_of
from promo_mypy.checking.kept.store import Store
from promo_mypy.checking.project import option_files
from promo_mypy.checking.python_files import searched
from promo_mypy.cli.check.settings import Settings
from promo_mypy.cli.repeated import Answer, cache_folder, question
from promo_mypy.linting.kept import earlier_facts, is_kept
from promo_mypy.linting.request import LintRequest


class _Heard:
    """A stream whose texts are noted; everything else is that of the stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.texts: list[str] = []

    def write(self, text: str) -> int:
        written = self._stream.write(text)  # first: whoever asks if it takes bytes gets an error
        self.texts.append(text)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@dataclass(slots=True)
class Printing:
    """What a check prints on stdout and on stderr, and when it began. Create it before the check reads anything."""

    started: int = field(default_factory=time.time_ns)
    texts: tuple[str, str] = ("", "")

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Note what is printed."""
        out, err = _Heard(sys.stdout), _Heard(sys.stderr)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield
        self.texts = "".join(out.texts), "".join(err.texts)

    def keep(self, settings: Settings, request: LintRequest, status: int) -> None:
        """Keep it with the exit status, if the check only read files and its cache is where it is looked for."""
        is_here = request.cache is not None and request.cache.absolute() == cache_folder()
        if not (is_here and is_kept(request) and settings.only_reads):
            return
        report = earlier_facts(request)
        store, asked = Store(request.cache), question()
        ours = _facts(request, settings, self.started, store.facts(asked))
        if report is not None and ours is not None:
            store.keep(asked, report.joined(ours), Answer(*self.texts, status))


def _facts(request: LintRequest, settings: Settings, started: int, earlier: Facts | None) -> Facts | None:
    """What decides beside the facts of the report: options, and names in the folders that are searched."""
    folders, absent = searched(request.paths, request.leaves_out)
    paths = [*option_files(Path.cwd(), settings.config_file), *absent]
    told = {str(path): status_of(str(path)) for path in (*paths, *loaded_code())}
    if any(is_younger(each, started) for each in told.values()):
        return None
    return gathered(told, ((str(folder), Listing.PROGRAM) for folder in folders), (), started, earlier)
