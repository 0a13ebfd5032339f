"""The plugin of such a run, under the options of the run and with its listener.

mypy creates plugins from the name of a module, so the run stores its settings in this module.
"""

import uuid
from collections.abc import Callable, Collection, Container, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from mypy.nodes import MypyFile
from mypy.options import Options as MypyOptions
from mypy.plugin import Plugin, ReportConfigContext

from promo_mypy.config import Config
from promo_mypy.plugin.hooks import PromoPlugin
from promo_mypy.plugin.state.listener import Listener
from promo_mypy.plugin.state.notes import Notes


def _nothing() -> None:
    pass


def _ignored(_tree: MypyFile) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Order:
    """The settings of a run.

    Attributes:
        modules: the modules to check, even if mypy's cache has them.
        options: turns the user's options into those of the run. If they change only for `modules`, mypy's cache of all
            other modules serves every run.
        listener: receives the operations, as in `Session`.
        asked: called whenever mypy asks for a hook.
        finished: called with each checked module, once all its types are known.
        bodies: the modules whose functions are checked again for the arguments of a call. mypy keeps their bodies.
        active: whether the plugin answers at all; a run without it shows stock mypy.
        notes: gets notes about places.
        keeps_trees: whether mypy keeps the syntax trees of `modules`, and only theirs, so that it can check parts of
            them again.
    """

    modules: Container[str]
    options: Callable[[Config], Config] = lambda config: config
    listener: Listener | None = None
    asked: Callable[[], None] = _nothing
    finished: Callable[[MypyFile], None] = _ignored
    bodies: Collection[str] = ()
    active: bool = True
    notes: Notes = field(default_factory=Notes)
    keeps_trees: bool = False


_ordered: ContextVar[Order] = ContextVar("_ordered")


@contextmanager
def ordered(order: Order) -> Iterator[None]:
    """In this context, the plugin that mypy creates from this module works for that run."""
    token = _ordered.set(order)
    try:
        yield
    finally:
        _ordered.reset(token)


class OrderedPlugin(PromoPlugin):
    """The plugin under the options of the run. Modules of the run are never read from the cache."""

    def __init__(self, options: MypyOptions) -> None:
        super().__init__(options)
        self._order = _ordered.get()
        self._config = self._order.options(self._config)
        self.listener = self._order.listener
        self.bodies = self._order.bodies
        self.notes = self._order.notes

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """The data of the plugin; for a module of the run, data that differ from any cache."""
        data = super().report_config_data(ctx)
        return uuid.uuid4().hex if ctx.is_check and ctx.id in self._order.modules else data

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """No dependencies. mypy calls this when the types of a module are known and its tree still exists."""
        is_ordered = file.fullname in self._order.modules
        if self._order.keeps_trees:
            self.options.preserve_asts = is_ordered  # mypy looks at the option next, with the same module
        if is_ordered:
            self._order.finished(file)
        if file.fullname in self._order.bodies:
            file.defs = []  # mypy empties the bodies of what it finds here; functions are found by their names
        return set()

    def _start(self) -> None:
        if not self._order.active:
            return
        super()._start()
        for question in ("get_function_hook", "get_method_hook", "get_method_signature_hook", "get_attribute_hook"):
            setattr(self, question, self._announced(getattr(self, question)))

    def _announced(self, answer: Callable[[str], Any]) -> Callable[[str], Any]:
        asked = self._order.asked

        def announce(fullname: str) -> Any:
            asked()
            return answer(fullname)

        return announce if asked is not _nothing else answer


def plugin(_version: str) -> type[Plugin]:
    """mypy's entry point."""
    return OrderedPlugin
