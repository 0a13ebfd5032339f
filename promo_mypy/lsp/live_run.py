"""A finished run of mypy that goes on with every edit, and what the server asks of it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from mypy.build import BuildResult
from mypy.errors import ErrorInfo
from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile

from promo_mypy.checking import runs
from promo_mypy.config import Config
from promo_mypy.lsp.increments import Increments
from promo_mypy.lsp.open_files import OpenFile
from promo_mypy.lsp.own_modules import OwnModules
from promo_mypy.plugin.interface.bodies import bodies_of
from promo_mypy.plugin.interface.runs import PromoPlugin
from promo_mypy.program.passed.passed_dtypes import Passed, PassedFinding, PassedFindings


class LiveRun:
    """A finished run of mypy that goes on with every edit.

    Attributes:
        build: the files of the run, and mypy's options.
        result: mypy's result.
        own: the modules of the repository.
        config: the user's options.
        plugin: the plugin of the run.
        increments: checks the edits.
        most_types: the number of types above which those of replaced syntax trees are dropped.
    """

    def __init__(
        self, build: runs.Request, result: BuildResult, own: OwnModules, config: Config, plugin: PromoPlugin
    ) -> None:
        self.build, self.result, self.own, self.config = build, result, own, config
        self.plugin = plugin
        self.increments = Increments(result, own)
        self.most_types = 0
        self._found: Final[dict[str, bool]] = {}
        self._asked: Final[set[str]] = set()
        self._functions: Final = PassedFindings()
        self._passed: Final[dict[str, Passed]] = {}

    def errors(self, path: str) -> list[ErrorInfo]:
        """mypy's errors in a file."""
        return self.result.manager.errors.error_info_map.get(path, [])

    def passed(self, module: str, callers: Iterable[str]) -> list[PassedFinding]:
        """What fails in the functions of a module for the dtypes that its calls pass, and those of other modules.

        Args:
            module: the module.
            callers: the modules whose calls count.
        """
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

    def is_unread(self, module: str) -> bool:
        """Whether a module of a library exists that mypy has not read."""
        if module in self.result.graph or module in self.own:
            return False
        if module not in self._found:
            self._found[module] = isinstance(self.result.manager.find_module_cache.find_module(module), str)
        return self._found[module]

    def needs_file(self, path: str, content: bytes) -> bool:
        """Whether a text newly imports a file that mypy does not find by name: only a start gives it to mypy."""
        new = self.build.layout.imports.unnamed(path, content) - self._asked
        self._asked.update(new)
        return not new <= self.result.graph.keys()

    def request_of(self, file: OpenFile) -> runs.Request:
        """The part of the run that is about one file."""
        return replace(self.build, sources=(BuildSource(file.path, file.module),))
