"""The plugin of a survey: ours, under the options that the survey asks for, and heard by it.

mypy makes its plugins itself, from the name of a module, so that a survey that runs mypy leaves word here.
"""

import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from mypy.options import Options as MypyOptions
from mypy.plugin import Plugin, ReportConfigContext

from promo_mypy.config import LIBRARY, Config, Options
from promo_mypy.plugin.differences import Listener
from promo_mypy.plugin.hooks import PromoPlugin

#: System -> the options under which the arrays of its library follow it. Under any other system all arrays follow it.
_OF_A_LIBRARY: Final[dict[str, dict[str, Any]]] = {
    "numpy": {},
    "torch": {},
    "jax": {"jax_enable_x64": True, "jax_numpy_dtype_promotion": "standard"},
    "jax-x32": {"jax_enable_x64": False, "jax_numpy_dtype_promotion": "standard"},
    "jax-strict": {"jax_numpy_dtype_promotion": "strict"},
}


@dataclass(frozen=True, slots=True)
class Order:
    """What a survey wants of the run of mypy: the two systems, the modules that it is about, and who listens."""

    source: str
    target: str
    modules: Collection[str]
    listener: Listener


_ordered: ContextVar[Order] = ContextVar("_ordered")


@contextmanager
def ordered(order: Order) -> Iterator[None]:
    """While this lasts, the plugin that mypy makes of this module works for that survey."""
    token = _ordered.set(order)
    try:
        yield
    finally:
        _ordered.reset(token)


@dataclass(frozen=True, slots=True)
class PortedConfig(Config):
    """The user's options, with `changes` to what they say about `modules`.

    Other modules are checked as in any other survey, so that mypy's cache of the libraries serves all of them.
    """

    changes: tuple[tuple[str, Any], ...] = ()
    modules: Collection[str] = ()

    def for_module(self, module: str) -> Options:
        """The options of a module."""
        options = Config.for_module(self, module)  # dataclasses with slots have no `super()`
        return replace(options, **dict(self.changes)) if module in self.modules else options


def ported(config: Config, order: Order) -> PortedConfig:
    """The user's options with the two systems in place of all that they say about systems and policies."""
    changes: dict[str, Any] = {"system": LIBRARY, "forbid": (), "portable_to": (order.target,)}
    changes |= _OF_A_LIBRARY.get(order.source, {"system": order.source})
    own = {each.name: getattr(config, each.name) for each in fields(config) if each.init}
    return PortedConfig(**own, changes=tuple(changes.items()), modules=order.modules)


class SurveyPlugin(PromoPlugin):
    """Answers as the plugin does under `ported` options; the modules of the survey are never taken from the cache."""

    def __init__(self, options: MypyOptions) -> None:
        super().__init__(options)
        order = _ordered.get()
        self._config = ported(self._config, order)
        self.listener = order.listener
        self._fresh = order.modules

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """The data of the plugin; for a module that has to be heard, data that no cache can hold."""
        data = super().report_config_data(ctx)
        return uuid.uuid4().hex if ctx.is_check and ctx.id in self._fresh else data


def plugin(_version: str) -> type[Plugin]:
    """mypy's entry point."""
    return SurveyPlugin
