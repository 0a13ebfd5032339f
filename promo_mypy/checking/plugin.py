"""The plugin of such a run: ours, under the options that the run asks for, and heard by it.

mypy makes its plugins itself, from the name of a module, so that whoever runs mypy leaves word here.
"""

import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from mypy.nodes import MypyFile
from mypy.options import Options as MypyOptions
from mypy.plugin import Plugin, ReportConfigContext

from promo_mypy.config import Config
from promo_mypy.plugin.hooks import PromoPlugin
from promo_mypy.plugin.state.listener import Listener


def _nothing() -> None:
    pass


def _ignored(_tree: MypyFile) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Order:
    """What a run wants of the plugin.

    Attributes:
        modules: those that it is about; they are checked even where mypy's cache has them.
        options: the user's options to those of the run. They may change for `modules` alone: then mypy's cache of all
            other modules serves every run.
        listener: hears of operations, as in `Session`.
        asked: called whenever mypy asks for a hook.
        finished: called with each module that is checked, when the last type in it is known.
        active: whether the plugin answers at all; a run without it shows what mypy knows alone.
    """

    modules: Collection[str]
    options: Callable[[Config], Config] = lambda config: config
    listener: Listener | None = None
    asked: Callable[[], None] = _nothing
    finished: Callable[[MypyFile], None] = _ignored
    active: bool = True


_ordered: ContextVar[Order] = ContextVar("_ordered")


@contextmanager
def ordered(order: Order) -> Iterator[None]:
    """While this lasts, the plugin that mypy makes of this module works for that run."""
    token = _ordered.set(order)
    try:
        yield
    finally:
        _ordered.reset(token)


class OrderedPlugin(PromoPlugin):
    """Answers as the plugin does under the options of the run; its modules are never taken from the cache."""

    def __init__(self, options: MypyOptions) -> None:
        super().__init__(options)
        self._order = _ordered.get()
        self._config = self._order.options(self._config)
        self.listener = self._order.listener

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """The data of the plugin; for a module of the run, data that no cache can hold."""
        data = super().report_config_data(ctx)
        return uuid.uuid4().hex if ctx.is_check and ctx.id in self._order.modules else data

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """None; mypy asks when the types of a module are known and its tree is still there."""
        if file.fullname in self._order.modules:
            self._order.finished(file)
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
