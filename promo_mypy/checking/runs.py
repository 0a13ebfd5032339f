"""Run mypy over some paths in this process, under the configuration that mypy finds.

mypy reads the checked code and never imports it.
"""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from mypy.build import BuildResult, build
from mypy.errors import CompileError
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.options import Options

from promo_mypy.checking import plugin
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.parsers import Files
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.checking.unparsed import unparsed
from promo_mypy.plugin import mypy_versions
from promo_mypy.plugin.process.activation import PLUGIN
from promo_mypy.rules.lattices.file_names import PYPROJECT

#: Called with what mypy does, how many modules are done, and of how many; None while that is unknown.
Progress = Callable[[str, int, int | None], None]
READING: Final = "Reading modules"
CHECKING: Final = "Checking with mypy"


def unheard(_what: str, _done: int, _total: int | None) -> None:
    """Ignores the progress."""


class CheckError(Exception):
    """mypy cannot check everything: a missing file, invalid code or options. The message is one line."""


@dataclass(frozen=True, slots=True)
class Request:
    """The files that mypy will check, read from its command line and configuration.

    Attributes:
        sources: the files with their modules. `RunSettings` need the modules, so a request is read before the run.
        options: mypy's options for them.
        file_system: through which mypy reads files.
        names: for modules that have another name in this run: that name -> the one that the user knows.
    """

    sources: tuple[BuildSource, ...]
    options: Options
    file_system: Files
    names: dict[str, str] = field(default_factory=dict)

    @property
    def modules(self) -> frozenset[str]:
        """The names of the modules."""
        return frozenset(each.module for each in self.sources)

    @property
    def files(self) -> frozenset[str]:
        """Their files."""
        return frozenset(str(each.path) for each in self.sources)

    def without(self, module: str) -> "Request":
        """The same without one of the modules. mypy does not check it even if another module imports it."""
        self.options.per_module_options.setdefault(module, {})["follow_imports"] = "skip"
        self.options.build_per_module_cache()
        return replace(self, sources=tuple(each for each in self.sources if each.module != module))


@dataclass(frozen=True, slots=True)
class Checked:
    """A finished run: mypy's result, its messages, one line each, in the order of its files, and the files left out."""

    result: BuildResult
    messages: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def read(paths: Iterable[Path], config_file: Path | None) -> Request:
    """Read the command line and configuration as mypy does; without paths, use the files that the configuration names.

    Raises:
        CheckError: mypy rejects the paths or the configuration.
    """
    file_system = Files()
    arguments = ["--config-file", str(config_file)] if config_file is not None else []
    complaints = io.StringIO()
    try:
        sources, options = process_options(
            [*arguments, "--", *map(str, paths)], complaints, complaints, fscache=file_system
        )
    except SystemExit as end:
        lines = complaints.getvalue().strip().splitlines() or ["mypy does not take these paths"]
        raise CheckError(_bare(lines[-1])) from end
    return Request(tuple(sources), options, file_system)


def run(request: Request, settings: RunSettings, progress: Progress = unheard) -> Checked:
    """Check the sources of a request with the plugin of the run, and with a cache beside mypy's own.

    A file that mypy cannot parse is left out; mypy then starts again.

    Raises:
        CheckError: mypy stops before it has checked the other files, or there are no others.
    """
    prepare(request.options, settings)
    left_out: list[LeftOut] = []
    while True:
        try:
            checked = _run(request, settings, progress)
        except StoppedError as stopped:
            faulty = next((each for each in request.sources if each.module == stopped.module), None)
            file = unparsed(str(faulty.path), stopped.messages) if faulty is not None else None
            if faulty is None or file is None or len(request.sources) == 1:
                raise CheckError(_bare(stopped.messages[0])) from stopped
            left_out.append(file)
            request = request.without(faulty.module)
        else:
            return replace(checked, left_out=tuple(left_out))


class StoppedError(Exception):
    """mypy has stopped: its messages, and the module at which it stopped, if any."""

    def __init__(self, messages: Sequence[str], module: str | None) -> None:
        super().__init__(messages, module)
        self.messages, self.module = messages, module


def _run(request: Request, settings: RunSettings, progress: Progress) -> Checked:
    counts = _Counts(progress)
    of_files: list[str] = []

    def finished(_path: str, messages: Sequence[str]) -> None:
        of_files.extend(messages)

    result = built(request, replace(settings, read=counts.read, ended=counts.ended), finished)
    mypy_versions.close_cache(result.manager.metastore)
    return Checked(result, tuple(of_files), ())


@dataclass(slots=True)
class _Counts:
    """The modules that mypy reads from their sources, libraries included: first all are read, then all are checked."""

    progress: Progress
    known: int = 0
    done: int = 0

    def read(self) -> None:
        """Count a module that mypy has read."""
        self.known += 1
        self.progress(READING, self.known, None)

    def ended(self) -> None:
        """Count a module that mypy has checked."""
        self.done = min(self.done + 1, self.known)
        self.progress(CHECKING, self.done, self.known)


def built(request: Request, settings: RunSettings, finished: Callable[[str, Sequence[str]], None]) -> BuildResult:
    """mypy's result for a request whose options are prepared. Its cache is not closed yet.

    Args:
        request: the files.
        settings: the settings of the run.
        finished: called with each file that mypy has checked, libraries included, and the messages about it.

    Raises:
        StoppedError: mypy stops.
    """
    general: list[str] = []

    def flush(path: str | None, messages: list[str], _serious: bool) -> None:
        if path is None:
            general.extend(messages)
        else:
            finished(path, messages)

    complaints = io.StringIO()
    try:
        with plugin.under(settings):
            result = build(
                list(request.sources), request.options, None, flush, request.file_system, complaints, complaints
            )
    except CompileError as error:
        messages = [*general, *error.messages, *complaints.getvalue().splitlines()]
        raise StoppedError(messages, error.module_with_blocker) from error
    if not mypy_versions.TELLS_OF_CHECKED_FILES:
        for state in result.graph.values():
            if state.tree is not None and state.id in settings.modules:
                settings.finished(state.tree)
    return result


def _bare(message: str) -> str:
    return message.removeprefix("mypy: ").removeprefix("error: ")


def prepare(options: Options, settings: RunSettings) -> None:
    """Replace the configured promo-mypy plugin by the plugin of the run, and turn off features for terminals and
    servers.
    """
    others = [each for each in options.plugins if each.split(":")[0] != PLUGIN]
    options.plugins = [plugin.__name__, *others]
    # mypy loads plugins only from a configuration file. The plugin looks for its own options beside that file.
    options.config_file = options.config_file or PYPROJECT
    # mypy discards its cache when the plugins change, so the user's own runs keep theirs.
    options.cache_dir = str(Path(options.cache_dir) / ("promo-mypy-runs" if settings.active else "promo-mypy-stock"))
    mypy_versions.check_in_this_process(options)
    options.preserve_asts = not mypy_versions.TELLS_OF_CHECKED_FILES
    options.fine_grained_incremental = False
    options.output = None
    options.pretty = False
    options.hide_error_codes = False
    options.report_dirs = {}
    options.many_errors_threshold = -1
