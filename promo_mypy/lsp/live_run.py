"""A finished run of mypy that goes on with every edit, and what the server asks of it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from mypy.build import BuildResult
from mypy.errors import ErrorInfo
from mypy.modulefinder import BuildSource

from promo_mypy.checking import runs
from promo_mypy.config import Config
from promo_mypy.lsp.increments import Increments
from promo_mypy.lsp.open_files import OpenFile
from promo_mypy.lsp.own_modules import OwnModules
from promo_mypy.plugin.interface.bodies import bodies_of
from promo_mypy.plugin.interface.runs import PromoPlugin
from promo_mypy.program.passed.passed_dtypes import PassedFinding, passed_findings


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
        self._passed: Final[dict[str, list[PassedFinding]]] = {}

    def errors(self, path: str) -> list[ErrorInfo]:
        """mypy's errors in a file."""
        return self.result.manager.errors.error_info_map.get(path, [])

    def passed(self, module: str) -> list[PassedFinding]:
        """What fails in the functions of a module for the dtypes that its calls pass."""
        if module not in self._passed:
            tree, bodies = self.result.graph[module].tree, bodies_of(self.plugin, module)
            types = self.result.manager.all_types.get
            self._passed[module] = passed_findings(tree, bodies, types) if tree is not None else []
        return self._passed[module]

    def drop(self, modules: Iterable[str]) -> None:
        """Drop what failed in modules that are checked anew."""
        for module in modules:
            self._passed.pop(module, None)

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
