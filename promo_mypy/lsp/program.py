"""Check the open files of a folder, and after an edit only what depends on it, as mypy's daemon does.

The libraries come from the cache that `promo-mypy check` fills, too. The modules of the repository are read from their
sources: mypy can only check parts again of what it has in memory.
"""

import gc
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import Final

from mypy.build import BuildResult

from promo_mypy.checking import runs
from promo_mypy.checking.parsers import Files
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.config import Config
from promo_mypy.linting.environment import interpreter
from promo_mypy.linting.reading import FileReader, is_about_dtypes
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.settings import build_request, configure
from promo_mypy.linting.suppressing import without_accepted
from promo_mypy.linting.texts import FileText
from promo_mypy.linting.type_ignores import has_bare_ignore
from promo_mypy.linting.values import FileValues
from promo_mypy.lsp.function_edits import function_edit
from promo_mypy.lsp.live_run import LiveRun
from promo_mypy.lsp.messages import Document, Edits
from promo_mypy.lsp.open_files import OpenFile, Text
from promo_mypy.lsp.own_modules import OwnModules
from promo_mypy.plugin.interface.runs import PromoPlugin, mypy_versions
from promo_mypy.plugin.interface.trees import nodes_as_written, reported
from promo_mypy.program.checked.tree_facts import TreeFacts
from promo_mypy.rules.findings import Finding

#: Python's thresholds for garbage collection between two edits.
_GARBAGE: Final = (200_000, 20, 50)


class Program:
    """The open files of a folder, and all that they import.

    `progress` is called with the number of modules that mypy has checked in a run from the start.
    """

    def __init__(self, progress: Callable[[int], None]) -> None:
        self._progress = progress
        self._request = LintRequest(())
        self._files: Final[dict[str, OpenFile]] = {}
        self._buffers = Files()
        self._live: LiveRun | None = None
        self._partly: Final[set[str]] = set()
        self._left_out: Final[dict[str, str]] = {}

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
        needs_start = any(path in self._left_out for path in others) or any(
            live is not None and file.waiting is not None and live.needs_start(file.path, file.waiting.source.content)
            for file in edited
        )
        with reported():  # the comments are applied to the findings
            if live is None or needs_start or not self._continue(live, edited, others):
                self._start()

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
            facts, options = (
                TreeFacts.of(tree, nodes_as_written(tree), live.config),
                live.config.for_module(file.module),
            )
            file.values = FileValues(file.module, facts, text, types, live.build.options.platform, options)
        return file.values

    def findings(self, file: OpenFile) -> tuple[Finding, ...]:
        """The findings in the checked text of a file; none in one that the options exclude."""
        live = self._live
        assert live is not None
        if self._request.excludes(Path(file.path)):
            return ()
        errors = live.errors(file.path)
        passed = live.passed(file.module, (each.module for each in self._files.values() if each.module))
        if not passed and not any(map(is_about_dtypes, errors)):
            return ()
        ignored = live.result.manager.errors.ignored_lines.get(file.path, {})
        path, values = Path(file.path).as_posix(), self.values(file)
        found = FileReader(path, values, ignored, self._place).findings(errors, passed)
        wanted = self._request.selection.in_file(Path(path), file.module, live.config, self._request.home)
        return tuple(sorted(without_accepted(found, path, values.text.whole_text, wanted)))

    def _place(self, path: str, line: int) -> tuple[str, str]:
        """A line in words, and its file, for a line of another file."""
        file, home = self._files.get(path), self._request.home.resolve()
        notebook = file.checked.document.notebook if file is not None and file.checked is not None else None
        shown = Path(path).relative_to(home) if Path(path).is_relative_to(home) else Path(path)
        return (notebook.named(line) if notebook is not None else f"line {line}"), shown.as_posix()

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
        self._left_out.clear()
        while True:
            self._buffers.flush()
            build = build_request([Path(path) for path in self._files], self._request, python, self._buffers)
            for faulty, module in self._left_out.items():
                build = build.without(module, faulty)
            config = Config.load(build.options.config_file).with_names(build.names)
            configure(build, self._request, config)
            own = OwnModules(build.layout)
            try:
                result, plugin = self._built(build, own)
            except runs.StoppedError as stopped:
                path = str(Path(stopped.file.path).resolve()) if stopped.file is not None else None
                if path is None or stopped.module is None or path in blank or path in self._left_out:
                    raise runs.CheckError(stopped.reason) from stopped
                if path in self._files:
                    blank.add(path)
                    self._leave_out(path)
                else:
                    self._left_out[path] = stopped.module
            else:
                break
        self._live = LiveRun(build, result, own, config, plugin)
        for source in build.sources:
            file = self._files[str(source.path)]
            file.module = source.module
            file.settle()
            self._live.needs_start(file.path, file.content)
        self._tidy(self._live)
        # What mypy has read stays: Python need not look at it again in search of garbage.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GARBAGE)

    def _built(self, build: runs.Request, own: OwnModules) -> tuple[BuildResult, PromoPlugin]:
        numbers = count(1)
        settings = RunSettings(
            own,
            lambda options: options.with_names(build.names),
            keeps_trees=True,
            only_named_ignores=not self._request.respect_type_ignore,
        )
        runs.prepare(build.options)
        return runs.built(build, settings, lambda _path, _messages: self._progress(next(numbers)))

    def _continue(self, live: LiveRun, edited: Iterable[OpenFile], others: Iterable[str]) -> bool:
        """Check what has changed; False if a file that is not open keeps mypy from it: a start goes on without it."""
        self._buffers.flush()
        edited, others = list(edited), list(others)
        kept: dict[str, Text | None] = {}

        def leave_out(path: str) -> None:
            file = self._files.get(path)
            # mypy blames the edited file for what it imports.
            if file is None or (file.waiting is not None and file.waiting.is_parsed):
                kept[path] = file.waiting if file is not None else None
            self._leave_out(path)

        touched = self._continue_in_function(live, edited[0]) if len(edited) == 1 and not others else None
        if touched is None:
            touched = self._continue_in_files(live, edited, others, leave_out)
        if kept:
            self._restore(kept)
            return False
        live.drop(touched)
        for file in self._files.values():
            if file.module in touched:
                file.settle()
        self._tidy(live)
        return True

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

    def _continue_in_files(
        self, live: LiveRun, edited: Iterable[OpenFile], others: Iterable[str], leave_out: Callable[[str], None]
    ) -> frozenset[str]:
        changed = []
        waiting = [file for file in self._files.values() if file.path in self._partly]
        self._partly.clear()
        for file in dict.fromkeys((*edited, *waiting)):
            configure(live.request_of(file), self._request, live.config)
            changed.append((file.module, file.path))
        for path in others:
            self._buffers.discard(path) if path not in self._files else None
            changed += [(state.id, path) for state in live.result.graph.values() if state.path == path]
        return live.increments.update(changed, leave_out)

    def _leave_out(self, path: str) -> None:
        """Go back to the last good text of a file that mypy cannot check, or to an empty one."""
        file = self._files.get(path)
        if file is not None:
            file.waiting = None
        self._buffers.put(path, file.content if file is not None else b"")

    def _restore(self, texts: Mapping[str, Text | None]) -> None:
        """Take back that some files were left out: these are the newer texts of the open ones."""
        for path, text in texts.items():
            if text is None:
                self._buffers.discard(path)
            else:
                self._files[path].waiting = text
                self._buffers.put(path, text.source.content)

    def _tidy(self, live: LiveRun) -> None:
        """Drop what the next edit does not need."""
        live.limit_errors(self._files)
        live.prune(file.module for file in self._files.values())
