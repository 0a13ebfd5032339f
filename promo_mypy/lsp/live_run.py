"""A finished run of mypy that goes on with every edit, and what the server asks of it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from mypy.build import BuildResult
from mypy.errors import ErrorInfo
from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile

from promo_mypy.checking import runs
from promo_mypy.checking.layout.imports import names_in
from promo_mypy.config import Config
from promo_mypy.linting.reading import is_about_dtypes
from promo_mypy.lsp.increments import Increments
from promo_mypy.lsp.open_files import OpenFile
from promo_mypy.lsp.own_modules import OwnModules
from promo_mypy.plugin.interface.bodies import bodies_of
from promo_mypy.plugin.interface.runs import PromoPlugin
from promo_mypy.plugin.interface.trees import nodes_as_written
from promo_mypy.program.checked.nodes import nodes_of
from promo_mypy.program.passed.passed_dtypes import Passed, PassedFinding, PassedFindings

#: The types of replaced trees are dropped once the number of types has grown by this factor,
_GROWTH: Final = 3
#: and by this number: fewer are not worth a search.
_FEW_TYPES: Final = 50_000


class LiveRun:
    """A finished run of mypy that goes on with every edit."""

    def __init__(
        self, build: runs.Request, result: BuildResult, own: OwnModules, config: Config, plugin: PromoPlugin
    ) -> None:
        self.build, self.result, self.own, self.config = build, result, own, config
        self.plugin = plugin
        self.increments = Increments(result, own)
        self._most_types = 0
        self._asked: Final[set[str]] = set()
        self._functions: Final = PassedFindings()
        self._passed: Final[dict[str, Passed]] = {}

    def errors(self, path: str) -> list[ErrorInfo]:
        """mypy's errors in a file."""
        return self.result.manager.errors.error_info_map.get(path, [])

    def passed(self, module: str, callers: Iterable[str]) -> list[PassedFinding]:
        """What fails in the functions of a module for the dtypes that its own calls pass, and those of others."""
        asked = dict.fromkeys((module, *callers))
        for each in asked:
            if each not in self._passed:
                self._passed[each] = self._passed_by(each)
        found: dict[tuple[int, int, str], PassedFinding] = {}
        for finding in (finding for each in asked for finding in self._passed[each].findings):
            if finding.module == module:
                found.setdefault((finding.node.line, finding.node.column, finding.finding.code), finding)
        return list(found.values())

    def _passed_by(self, module: str) -> Passed:
        tree, bodies = self._tree(module), bodies_of(self.plugin, module)
        if tree is None:
            return Passed()
        nodes = self._functions.add(tree, bodies)
        types = self.result.manager.all_types.get
        while True:  # a body may call a function of a module that no call has reached before
            passed = self._functions.of(tree, nodes, bodies, types)
            new = {each: file for each in passed.others - self._functions.modules if (file := self._own_tree(each))}
            if not new:
                return passed
            for name, file in new.items():
                self._functions.add(file, bodies_of(self.plugin, name))

    def _tree(self, module: str) -> MypyFile | None:
        state = self.result.graph.get(module)
        return state.tree if state is not None else None

    def _own_tree(self, module: str) -> MypyFile | None:
        return self._tree(module) if module in self.own else None

    def drop(self, modules: Iterable[str]) -> None:
        """Drop what failed for the calls of modules that are checked anew, and for calls of their functions."""
        touched = frozenset(modules)
        for module, passed in list(self._passed.items()):
            if module in touched or passed.others & touched:
                del self._passed[module]
        for module in touched & self._functions.modules:
            tree = self._tree(module)
            self._functions.add(tree, bodies_of(self.plugin, module)) if tree is not None else None

    def needs_start(self, path: str, content: bytes) -> bool:
        """Whether a text newly imports what only a start gives to mypy.

        That is a library that mypy has not read, which a start reads from the cache, or a file that mypy does not find
        by name.
        """
        unnamed = self.build.layout.imports.unnamed(path, content)
        new = (unnamed | names_in(content)) - self._asked
        self._asked.update(new)
        return not new & unnamed <= self.result.graph.keys() or any(map(self._is_unread, new))

    def _is_unread(self, module: str) -> bool:
        """Whether a module of a library exists that mypy has not read."""
        if module in self.result.graph or module in self.own:
            return False
        return isinstance(self.result.manager.find_module_cache.find_module(module), str)

    def request_of(self, file: OpenFile) -> runs.Request:
        """The part of the run that is about one file, which gets a module if it is opened now."""
        if not file.module:
            self.build.layout.imports.look_again()
            file.module = self.build.layout.add(file.path)
            self.own.add(file.module)
        return replace(self.build, sources=(BuildSource(file.path, file.module),))

    def limit_errors(self, paths: Iterable[str]) -> None:
        """After an edit, let mypy repeat only the errors in some files that are shown, and not all errors there."""
        errors = (error for path in paths for error in self.errors(path) if is_about_dtypes(error))
        self.increments.repeat_errors_of({error.target for error in errors if error.target is not None})

    def prune(self, modules: Iterable[str]) -> None:
        """Drop the types of replaced syntax trees, once there are many. Those of the modules stay."""
        types = self.result.manager.all_types
        if len(types) <= self._most_types:
            return
        trees = (tree for module in modules if (tree := self._tree(module)) is not None)
        nodes = (node for tree in trees for found in nodes_of(nodes_as_written(tree)).values() for node in found)
        kept = {node: types[node] for node in nodes if node in types}
        types.clear()
        types.update(kept)
        self._most_types = _GROWTH * len(types) + _FEW_TYPES
