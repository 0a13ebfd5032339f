"""Paths to the operations in them that give another dtype under another system; runs mypy in this process.

mypy reads the checked code and never imports it. Its configuration, and the user's options, hold as in any other run;
what they say about promotion systems is replaced by the two systems of the survey.
"""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from mypy.build import build
from mypy.errors import CompileError
from mypy.fscache import FileSystemCache
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.options import Options

from promo_mypy.plugin.activation import PLUGIN
from promo_mypy.plugin.differences import Difference
from promo_mypy.plugin.differences import Place as Position
from promo_mypy.plugin.error_codes import CODES, PARENT_CODE
from promo_mypy.plugin.findings import dtypes_text
from promo_mypy.port import plugin
from promo_mypy.port.findings import Cause, Place, Survey, grouped
from promo_mypy.rules import diagnostics

_CODE: Final = CODES[diagnostics.PORTABILITY]

#: Hears how many of how many files are done.
Progress = Callable[[int, int], None]


class SurveyError(Exception):
    """The survey cannot be made: no such file, code that cannot be parsed, faulty options. The message is one line."""


def survey(
    paths: Sequence[Path],
    source: str,
    target: str,
    *,
    config_file: Path | None = None,
    progress: Progress = lambda _done, _total: None,
) -> Survey:
    """Check files and folders as code that follows `source`, and find the operations that differ under `target`.

    An operation whose error is ignored, in its line or by mypy's configuration, is no finding.

    Args:
        paths: files and folders; none for those that mypy's configuration names.
        source: a promotion system; arrays of a library that has it for its own, or all arrays for any other system.
        target: a promotion system.
        config_file: mypy's configuration, if it is not the one that mypy finds.
        progress: called whenever a file is done.

    Raises:
        SurveyError: mypy ends without having checked everything.
    """
    cache = FileSystemCache()
    sources, options = _read(paths, config_file, cache)
    _prepare(options)
    listener = _Listener(source)
    done: set[str] = set()
    files = {str(each.path) for each in sources}

    said: list[str] = []

    def flush(path: str | None, messages: list[str], _serious: bool) -> None:
        if path is None:
            said.extend(messages)
        if path in files and path not in done:
            done.add(path)
            progress(len(done), len(files))

    modules = frozenset(each.module for each in sources)
    complaints = io.StringIO()
    try:
        with plugin.ordered(plugin.Order(source, target, modules, listener.hear)):
            result = build(sources, options, None, flush, cache, complaints, complaints)
    except CompileError as error:
        told = [*said, *error.messages, *complaints.getvalue().splitlines()]
        raise SurveyError(told[0].removeprefix("mypy: ").removeprefix("error: ")) from error
    result.manager.metastore.close()
    return listener.survey(source, target, len(files))


class _Listener:
    """Keeps what the plugin says about operations that follow one system, once for each place."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._operations: set[Position] = set()
        self._found: dict[Position, Difference] = {}

    def hear(self, position: Position, system: str, difference: Difference | None) -> None:
        """One operation of known dtype; mypy may look at it more than once."""
        if system != self._system:
            return
        self._operations.add(position)
        if difference is not None:
            self._found.setdefault(position, difference)

    def survey(self, source: str, target: str, files: int) -> Survey:
        """All that was heard."""
        found = [
            (Path(at.path), _cause(difference), Place(at.line, at.column, at.end_line, at.end_column))
            for at, difference in self._found.items()
        ]
        return Survey(source, target, files, len(self._operations), grouped(found))


def _cause(difference: Difference) -> Cause:
    (elsewhere,) = difference.elsewhere
    ported = dtypes_text(elsewhere.results)
    reason = "" if ported else elsewhere.reason or ""
    return Cause(difference.symbol, difference.operands, difference.result, ported, reason, difference.remedy)


def _read(paths: Sequence[Path], config_file: Path | None, cache: FileSystemCache) -> tuple[list[BuildSource], Options]:
    """mypy's own reading of its command line and configuration."""
    arguments = ["--config-file", str(config_file)] if config_file is not None else []
    complaints = io.StringIO()
    try:
        return process_options([*arguments, "--", *map(str, paths)], complaints, complaints, fscache=cache)
    except SystemExit as end:
        lines = complaints.getvalue().strip().splitlines() or ["mypy does not take these paths"]
        raise SurveyError(lines[-1].removeprefix("mypy: ").removeprefix("error: ")) from end


def _prepare(options: Options) -> None:
    """Put the plugin of the survey in place of ours, and switch on what it reports."""
    others = [each for each in options.plugins if each.split(":")[0] != PLUGIN]
    options.plugins = [plugin.__name__, *others]
    # mypy gives its cache up when the plugins change: runs of the user keep theirs.
    options.cache_dir = str(Path(options.cache_dir) / "promo-mypy-port")
    options.num_workers = 0
    options.fine_grained_incremental = False
    options.output = None
    options.report_dirs = {}
    options.many_errors_threshold = -1
    options.disabled_error_codes -= {_CODE, PARENT_CODE}
    options.enabled_error_codes |= {_CODE}
