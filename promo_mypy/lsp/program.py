"""Check the open files of a folder, and after an edit only what depends on it, as mypy's daemon does.

The libraries come from the cache that `promo-mypy check` fills, too. The modules of the repository are read from their
sources: mypy can only check parts again of what it has in memory.
"""

import gc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from mypy.build import BuildResult

from promo_mypy.checking import runs
from promo_mypy.checking.parsers import Files
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.config import Config
from promo_mypy.inference.checked.nodes import nodes_of
from promo_mypy.linting.environment import interpreter
from promo_mypy.linting.findings import Finding
from promo_mypy.linting.reading import FileReader, is_about_dtypes
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.settings import build_request, configure, set_names
from promo_mypy.linting.sources import named_sources
from promo_mypy.linting.suppressing import without_accepted
from promo_mypy.linting.texts import FileText
from promo_mypy.linting.type_ignores import has_bare_ignore
from promo_mypy.linting.values import FileValues
from promo_mypy.lsp.function_edits import function_edit
from promo_mypy.lsp.imports import imported_modules
from promo_mypy.lsp.live_run import LiveRun
from promo_mypy.lsp.messages import Document, Edits
from promo_mypy.lsp.open_files import OpenFile
from promo_mypy.lsp.own_modules import OwnModules
from promo_mypy.plugin import mypy_versions
from promo_mypy.plugin.trees.definitions import definitions

#: Python's thresholds for garbage collection between two edits.
_GARBAGE: Final = (200_000, 20, 50)
#: The types of replaced trees are dropped once the number of types has grown by this factor,
_GROWTH: Final = 3
#: and by this number: fewer are not worth a search.
_FEW_TYPES: Final = 50_000


class Program:
    """The open files of a folder, and all that they import.

    Args:
        progress: called with the number of modules that mypy has checked in a run from the start.
    """

    def __init__(self, progress: Callable[[int], None]) -> None:
        self._progress = progress
        self._request = LintRequest(())
        self._files: Final[dict[str, OpenFile]] = {}
        self._buffers = Files()
        self._live: LiveRun | None = None
        self._partly: Final[set[str]] = set()

    @property
    def is_partly_checked(self) -> bool:
        """Whether only the edited functions of some files were checked."""
        return bool(self._partly)

    @property
    def files(self) -> Iterable[OpenFile]:
        """The open files."""
        return self._files.values()

    def file(self, path: str) -> OpenFile | None:
        """An open file that has been checked."""
        file = self._files.get(path)
        return file if file is not None and file.checked is not None else None

    def update(self, edits: Edits) -> None:
        """Check what some edits change.

        Raises:
            CheckError: mypy stops for a reason that is not in an open file.
            ConfigError: the options are invalid.
        """
        if edits.anew is not None:
            self._request, self._live = edits.anew, None
        others = [*edits.saved, *(path for path in edits.closed if self._close(path))]
        edited = [file for document in edits.documents if (file := self._edit(document)) is not None]
        if not self._files:
            return
        live = self._live
        if live is None or self._needs_start(live, edited):
            self._start()
        else:
            self._continue(live, edited, others)

    def values(self, file: OpenFile) -> FileValues:
        """The values in the checked text of a file."""
        live = self._live
        assert live is not None
        assert file.checked is not None
        if file.values is None:
            tree = live.result.graph[file.module].tree
            assert tree is not None
            types = live.result.manager.all_types
            notebook = file.checked.document.notebook
            text = FileText(file.checked.source, notebook.named if notebook is not None else None)
            file.values = FileValues(nodes_of(tree), definitions(tree), text, types, live.build.options.platform)
        return file.values

    def findings(self, file: OpenFile) -> tuple[Finding, ...]:
        """The findings in the checked text of a file; none in one that the options exclude."""
        live = self._live
        assert live is not None
        if self._request.excludes(Path(file.path)):
            return ()
        errors = live.errors(file.path)
        if not any(map(is_about_dtypes, errors)):
            return ()
        ignored = live.result.manager.errors.ignored_lines.get(file.path, {})
        x64 = live.config.for_module(file.module).jax_x64
        path, values = Path(file.path).as_posix(), self.values(file)
        found = FileReader(path, values, ignored, x64).findings(errors)
        wanted = self._request.selection.in_file(Path(path), file.module, live.config, self._request.home)
        return tuple(sorted(without_accepted(found, path, values.text.whole_text, wanted)))

    def config(self) -> Config:
        """The options of the folder."""
        return self._live.config if self._live is not None else Config()

    def _edit(self, document: Document) -> OpenFile | None:
        file = self._files.setdefault(document.path, OpenFile(document.path))
        if not file.edit(document):
            return None
        assert file.waiting is not None
        self._buffers.put(file.path, file.waiting.source.content)
        return file

    def _close(self, path: str) -> bool:
        """Close a file, and return whether its text was not the one on disk."""
        file = self._files.pop(path, None)
        if file is None:
            return False
        self._buffers.discard(path)
        try:
            return Path(path).read_bytes() != file.content
        except OSError:
            return True

    def _needs_start(self, live: LiveRun, edited: Iterable[OpenFile]) -> bool:
        """Whether a file imports a library that mypy has not read. Only a start reads it from the cache."""
        return any(
            live.is_unread(module)
            for file in edited
            if file.waiting is not None
            for module in imported_modules(file.waiting.source.tree)
        )

    def _start(self) -> None:
        if self._live is not None:
            mypy_versions.close_cache(self._live.result.manager.metastore)
            self._live = None
        self._partly.clear()
        for file in self._files.values():
            file.values = None
        gc.unfreeze()
        python = self._request.python or interpreter(Path.cwd())
        blank: set[str] = set()
        while True:
            self._buffers.flush()
            build = build_request([Path(path) for path in self._files], self._request, python, self._buffers)
            config = Config.load(build.options.config_file).with_names(build.names)
            configure(build, self._request, config)
            own = OwnModules(build.options.mypy_path, build.sources)
            try:
                result = self._built(build, own)
            except runs.StoppedError as stopped:
                path = _place(stopped)
                if path is None or path in blank:
                    raise runs.CheckError(stopped.messages[0]) from stopped
                blank.add(path)
                self._leave_out(path)
            else:
                break
        self._live = LiveRun(build, result, own, config)
        for source in build.sources:
            file = self._files[str(source.path)]
            file.module = source.module
            file.settle()
        self._limit_errors()
        self._prune()
        # What mypy has read stays: Python need not look at it again in search of garbage.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GARBAGE)

    def _built(self, build: runs.Request, own: OwnModules) -> BuildResult:
        done = 0

        def finished(_path: str, _messages: object) -> None:
            nonlocal done
            done += 1
            self._progress(done)

        settings = RunSettings(
            own,
            lambda options: options.with_names(build.names),
            keeps_trees=True,
            only_named_ignores=not self._request.respect_type_ignore,
        )
        runs.prepare(build.options, settings)
        return runs.built(build, settings, finished)

    def _continue(self, live: LiveRun, edited: Iterable[OpenFile], others: Iterable[str]) -> None:
        self._buffers.flush()
        edited, others = list(edited), list(others)
        touched = self._continue_in_function(live, edited[0]) if len(edited) == 1 and not others else None
        if touched is None:
            touched = self._continue_in_files(live, edited, others)
        for file in self._files.values():
            if file.module in touched:
                file.settle()
        self._limit_errors()
        self._prune()

    def _continue_in_function(self, live: LiveRun, file: OpenFile) -> frozenset[str] | None:
        """Check only the function that an edit changes; None if it changes more."""
        before, after = file.checked, file.waiting
        if not file.module or before is None or after is None or before.source.tree is None:
            return None
        if after.source.tree is None or not after.source.content.isascii():
            return None
        edit = function_edit(before.source.tree, before.lines, after.source.tree, after.lines)
        if edit is not None and not self._request.respect_type_ignore and has_bare_ignore(edit.text):
            edit = None  # such comments are dropped when mypy reads a file
        touched = live.increments.update_function(file.module, edit) if edit is not None else None
        if touched is not None:
            self._partly.add(file.path)
        return touched

    def _continue_in_files(self, live: LiveRun, edited: Iterable[OpenFile], others: Iterable[str]) -> frozenset[str]:
        changed = []
        waiting = [file for file in self._files.values() if file.path in self._partly]
        self._partly.clear()
        for file in dict.fromkeys((*edited, *waiting)):
            if not file.module:
                file.module = self._opened(live, file.path)
            else:
                configure(live.request_of(file), self._request, live.config)
            changed.append((file.module, file.path))
        for path in others:
            self._buffers.discard(path) if path not in self._files else None
            changed += [(state.id, path) for state in live.result.graph.values() if state.path == path]
        return live.increments.update(changed, self._leave_out)

    def _opened(self, live: LiveRun, path: str) -> str:
        """The module of a file that is opened now."""
        taken = {state.id for state in live.result.graph.values() if state.path != path}
        (named,) = named_sources([Path(path)], self._buffers, live.build.options, taken)
        source = named.source
        set_names(live.build, [(path, named)])
        live.own.add(source.module)
        configure(runs.Request((source,), live.build.options, self._buffers), self._request, live.config)
        return source.module

    def _leave_out(self, path: str) -> None:
        """Go back to the last good text of a file that mypy cannot check, or to an empty one."""
        file = self._files.get(path)
        if file is not None:
            file.waiting = None
        self._buffers.put(path, file.content if file is not None else b"")

    def _limit_errors(self) -> None:
        """After an edit, let mypy repeat only the errors that are shown, and not all errors of the files."""
        live = self._live
        assert live is not None
        shown = {
            error.target
            for file in self._files.values()
            for error in live.errors(file.path)
            if error.target is not None and is_about_dtypes(error)
        }
        live.increments.repeat_errors_of(shown)

    def _prune(self) -> None:
        """Drop the types of replaced syntax trees, once there are many."""
        live = self._live
        assert live is not None
        types = live.result.manager.all_types
        if len(types) <= live.most_types:
            return
        kept = {}
        for file in self._files.values():
            tree = live.result.graph[file.module].tree if file.module in live.result.graph else None
            for nodes in nodes_of(tree).values() if tree is not None else ():
                kept.update({node: types[node] for node in nodes if node in types})
            file.values = None
        live.result.manager.all_types = kept
        live.most_types = _GROWTH * len(kept) + _FEW_TYPES


def _place(stopped: runs.StoppedError) -> str | None:
    """The file at which mypy has stopped; None for any other reason."""
    if stopped.module is None or not stopped.messages:
        return None
    path = Path(stopped.messages[0].partition(":")[0])
    return str(path.resolve()) if path.suffix in (".py", ".pyi", ".ipynb") else None
