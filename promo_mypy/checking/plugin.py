"""The plugin for a run of mypy in this process, under the settings of that run.

mypy creates a plugin from the name of a module, so a run stores its settings in this module.
"""

import uuid
from collections.abc import Callable, Collection, Container, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from mypy.nodes import MypyFile
from mypy.options import Options as MypyOptions
from mypy.plugin import Plugin, ReportConfigContext

from promo_mypy.checking.layout.renamed import Dependency
from promo_mypy.config import Config
from promo_mypy.plugin.interface.runs import Listener, Notes, PromoPlugin


def _nothing() -> None:
    pass


def _ignored(_tree: MypyFile, _plugin: PromoPlugin) -> None:
    pass


def _as_written(_tree: MypyFile) -> list[Dependency]:
    return []


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run.

    Attributes:
        modules: the modules to check, even if mypy's cache has them.
        options: turns the user's options into those of the run. If they change only for `modules`, mypy's cache of all
            other modules serves every run.
        listener: receives the operations, as in `Session`.
        asked: called whenever mypy asks for a hook.
        finished: called with each checked module, once all its types are known, and with the plugin of the run.
        read: called for each module, libraries included, that mypy has read from its source.
        ended: called for each of them that mypy has checked. An older mypy does not tell.
        bodies: the modules whose functions are checked again for the arguments of a call. mypy keeps their bodies.
        notes: collects what the plugin notes about places in the code.
        keeps_trees: whether mypy keeps the syntax trees of `modules`, and only theirs, so that it can check parts of
            them again.
        only_named_ignores: whether `# type: ignore` without a code has no effect in `modules`.
        known: those of `modules` that mypy may take from its cache, if nothing that they depend on has changed.
        anew: further modules that mypy does not read from its cache.
        rename: changes the imports in a parsed file, and returns what mypy needs for it.
    """

    modules: Container[str]
    options: Callable[[Config], Config] = lambda config: config
    listener: Listener | None = None
    asked: Callable[[], None] = _nothing
    finished: Callable[[MypyFile, PromoPlugin], None] = _ignored
    read: Callable[[], None] = _nothing
    ended: Callable[[], None] = _nothing
    bodies: Collection[str] = ()
    notes: Notes = field(default_factory=Notes)
    keeps_trees: bool = False
    only_named_ignores: bool = False
    known: Container[str] = ()
    anew: Container[str] = ()
    rename: Callable[[MypyFile], list[Dependency]] = _as_written


class Run:
    """A run under some settings, and its plugin.

    Args:
        settings: the settings.
    """

    def __init__(self, settings: RunSettings) -> None:
        self.settings: Final = settings
        self._plugin: PromoPlugin | None = None

    @property
    def plugin(self) -> PromoPlugin:
        """The plugin, once mypy has created it."""
        assert self._plugin is not None
        return self._plugin

    def begin(self, plugin: PromoPlugin) -> None:
        """Take the plugin that mypy has created."""
        self._plugin = plugin


_current_run: ContextVar[Run] = ContextVar("_current_run")


@contextmanager
def under(settings: RunSettings) -> Iterator[Run]:
    """In this context, the plugin that mypy creates from this module has these settings."""
    run = Run(settings)
    token = _current_run.set(run)
    try:
        yield run
    finally:
        _current_run.reset(token)


class RunPlugin(PromoPlugin):
    """The plugin under the settings of the run. mypy reads of the run's modules only known ones from its cache."""

    def __init__(self, options: MypyOptions) -> None:
        super().__init__(options)
        run = _current_run.get()
        self._settings = run.settings
        self._config = self._settings.options(self._config)
        self.listener = self._settings.listener
        self.bodies = self._settings.bodies
        self.notes = self._settings.notes
        run.begin(self)

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """The data of the plugin; for a module of the run, data that differ from any cache."""
        data = super().report_config_data(ctx)
        settings = self._settings
        must_check = (ctx.id in settings.modules and ctx.id not in settings.known) or ctx.id in settings.anew
        return uuid.uuid4().hex if ctx.is_check and must_check else data

    def get_additional_deps(self, file: MypyFile) -> list[Dependency]:
        """The dependencies of the plugin, and those of imports under other names.

        mypy calls this when it has parsed a file, and then looks at the comments in it.
        """
        self._settings.read()
        if self._settings.only_named_ignores and file.fullname in self._settings.modules:
            for line in [line for line, codes in file.ignored_lines.items() if not codes]:
                del file.ignored_lines[line]
        return [*self._settings.rename(file), *super().get_additional_deps(file)]

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """No dependencies. mypy calls this when the types of a module are known and its tree still exists."""
        is_checked = file.fullname in self._settings.modules
        self._settings.ended()
        if self._settings.keeps_trees:
            self.options.preserve_asts = is_checked  # mypy looks at the option next, with the same module
        if is_checked:
            self._settings.finished(file, self)
        if file.fullname in self._settings.bodies:
            file.defs = []  # mypy empties the bodies of what it finds here; functions are found by their names
        return set()

    def _start(self) -> None:
        super()._start()
        for question in ("get_function_hook", "get_method_hook", "get_method_signature_hook", "get_attribute_hook"):
            setattr(self, question, self._announced(getattr(self, question)))

    def _announced(self, answer: Callable[[str], Any]) -> Callable[[str], Any]:
        asked = self._settings.asked

        def announce(fullname: str) -> Any:
            asked()
            return answer(fullname)

        return announce if asked is not _nothing else answer


def plugin(_version: str) -> type[Plugin]:
    """mypy's entry point."""
    return RunPlugin
