"""Run mypy over some paths in this process, under the configuration that mypy finds.

mypy reads the checked code and never imports it.
"""

import io
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mypy.build import BuildResult, build, default_data_dir
from mypy.errors import CompileError
from mypy.main import process_options
from mypy.modulefinder import BuildSource, FindModuleCache, compute_search_paths, matches_exclude
from mypy.options import Options

from promo_mypy.checking import plugin
from promo_mypy.checking.blocked import blocked, crashed_at, stopping
from promo_mypy.checking.layout.placed import Placed, placed
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.parsers import Files
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.checking.python_files import python_files
from promo_mypy.plugin.interface.runs import PLUGIN, PromoPlugin, mypy_versions
from promo_mypy.rules.lattices.file_names import PYPROJECT

#: Called with what mypy does, how many modules are done, and of how many; None while that is unknown.
Progress = Callable[[str, int, int | None], None]
READING: Final = "Reading modules"
CHECKING: Final = "Checking with mypy"
#: mypy recurses into long expressions, and sets the same limit when it is run as a command.
_DEEPEST: Final = 2**14


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
        layout: the places of the files, and what their imports mean.
    """

    sources: tuple[BuildSource, ...]
    options: Options
    file_system: Files
    layout: Placed

    @classmethod
    def of(cls, layout: Placed, options: Options, file_system: Files) -> "Request":
        """The request for files that have module names."""
        return cls(layout.sources, options, file_system, layout)

    @property
    def names(self) -> Mapping[str, str]:
        """For modules that have another name in this run: that name -> the one that the user knows."""
        return self.layout.names

    @property
    def modules(self) -> frozenset[str]:
        """The names of the modules."""
        return frozenset(each.module for each in self.sources)

    @property
    def files(self) -> frozenset[str]:
        """Their files."""
        return frozenset(str(each.path) for each in self.sources)

    def without(self, module: str, path: str) -> "Request":
        """The same without a module. mypy does not read its file even if another module imports it."""
        changes = self.options.per_module_options.setdefault(module, {})
        changes["ignore_missing_imports"] = True
        if not self.layout.owns(path):
            changes |= {"follow_imports": "skip", "follow_imports_for_stubs": True}
        self.options.build_per_module_cache()
        layout = self.layout.without(path)
        return replace(self, sources=layout.sources, layout=layout)


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
    options = options_of(["--config-file", str(config_file)] if config_file is not None else [], file_system)
    files = _files(tuple(paths) or tuple(map(Path, options.files or ())), options, file_system)
    return Request.of(placed(files, options, file_system), options, file_system)


def options_of(flags: Sequence[str], file_system: Files) -> Options:
    """mypy's options for some flags.

    Raises:
        CheckError: mypy rejects them, or its configuration.
    """
    complaints = io.StringIO()
    try:
        # mypy would give files names of its own, and reject some of them: it is not told of them.
        _, options = process_options([*flags, "-m", "builtins"], complaints, complaints, fscache=file_system)
    except SystemExit as end:
        lines = complaints.getvalue().strip().splitlines() or ["mypy does not take these options"]
        raise CheckError(_bare(lines[-1])) from end
    return options


def _files(paths: Sequence[Path], options: Options, file_system: Files) -> list[Path]:
    def is_left_out(path: Path) -> bool:
        return matches_exclude(str(path), options.exclude, file_system, verbose=False)

    if not paths:
        finder = FindModuleCache(compute_search_paths([], options, default_data_dir()), file_system, options)
        named = [*(options.packages or ()), *(options.modules or ())]
        paths = [Path(found.path) for name in named for found in finder.find_modules_recursive(name) if found.path]
    if not paths:
        raise CheckError("Missing target module, package, files, or command.")
    files = python_files(paths, is_left_out)
    if not files:
        raise CheckError(f"there are no Python files in {', '.join(map(str, paths))}")
    return files


def run(request: Request, settings: RunSettings, progress: Progress = unheard) -> Checked:
    """Check the sources of a request with the plugin of the run, and with a cache beside mypy's own.

    A file at which mypy stops is left out, checked or only imported; mypy then starts again.

    Raises:
        CheckError: mypy stops for another reason, or there are no other files.
    """
    prepare(request.options)
    left_out: dict[str, LeftOut] = {}
    while True:
        try:
            checked = _run(request, settings, progress)
        except StoppedError as stopped:
            file = stopped.file
            if file is None or stopped.module is None or file.path in left_out:
                raise CheckError(stopped.reason) from stopped
            left_out[file.path] = file
            request = request.without(stopped.module, file.path)
            if not request.sources:
                raise CheckError(stopped.reason) from stopped
        else:
            return replace(checked, left_out=tuple(left_out.values()))


class StoppedError(Exception):
    """mypy has stopped.

    Attributes:
        module: the module at which it has stopped, if any.
        file: its file, and the reason.
        reason: the reason in one line, with the place.
    """

    def __init__(self, module: str | None, path: str | None, messages: Sequence[str]) -> None:
        super().__init__(module, path, messages)
        self.module = module
        self.file = blocked(path, messages) if path is not None else None
        self.reason = _bare(stopping(path, messages))


def _run(request: Request, settings: RunSettings, progress: Progress) -> Checked:
    counts = _Counts(progress)
    of_files: list[str] = []

    def finished(_path: str, messages: Sequence[str]) -> None:
        of_files.extend(messages)

    result, _ = built(request, replace(settings, read=counts.read, ended=counts.ended), finished)
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


def built(
    request: Request, settings: RunSettings, finished: Callable[[str, Sequence[str]], None]
) -> tuple[BuildResult, PromoPlugin]:
    """mypy's result for a request whose options are prepared, and the plugin. mypy's cache is not closed yet.

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
    layout = request.layout
    settings = replace(settings, anew=layout.anew, rename=layout.rename)
    sources = [*request.sources, *layout.others]
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))
    try:
        # A crash of mypy is printed, whatever streams a build is given.
        with plugin.under(settings) as run, redirect_stdout(complaints), redirect_stderr(complaints):
            result = build(sources, request.options, None, flush, request.file_system, complaints, complaints)
    except CompileError as error:
        module = error.module_with_blocker
        messages = [*general, *error.messages, *complaints.getvalue().splitlines()]
        raise StoppedError(module, layout.file(module) if module is not None else None, messages) from error
    except SystemExit as error:
        path = crashed_at(complaints.getvalue())
        if path is None or not layout.owns(path):
            raise
        module = layout.add(path)
        raise StoppedError(module, path, complaints.getvalue().splitlines()) from error
    if not mypy_versions.TELLS_OF_CHECKED_FILES:
        for state in result.graph.values():
            if state.tree is not None and state.id in settings.modules:
                settings.finished(state.tree, run.plugin)
    return result, run.plugin


def _bare(message: str) -> str:
    return message.removeprefix("mypy: ").removeprefix("error: ")


def prepare(options: Options) -> None:
    """Replace the configured promo-mypy plugin by the plugin of the run, and turn off features for terminals and
    servers.
    """
    others = [each for each in options.plugins if each.split(":")[0] != PLUGIN]
    options.plugins = [plugin.__name__, *others]
    # mypy loads plugins only from a configuration file. The plugin looks for its own options beside that file.
    options.config_file = options.config_file or PYPROJECT
    # mypy discards its cache when the plugins change, so the user's own runs keep theirs.
    options.cache_dir = str(Path(options.cache_dir) / "promo-mypy-runs")
    mypy_versions.check_in_this_process(options)
    options.preserve_asts = not mypy_versions.TELLS_OF_CHECKED_FILES
    options.fine_grained_incremental = False
    options.output = None
    options.pretty = False
    options.hide_error_codes = False
    options.report_dirs = {}
    options.many_errors_threshold = -1
