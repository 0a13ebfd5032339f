"""The options of a survey: the user's options, with the two systems in place of all settings about systems."""

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Any, Final

from promo_mypy.config import LIBRARY, Config, Options
from promo_mypy.rules.records import record

#: System -> the options under which the arrays of its library follow it. Under any other system all arrays follow it.
_OF_A_LIBRARY: Final[dict[str, dict[str, Any]]] = {
    "numpy": {},
    "torch": {},
    "jax": {"jax_enable_x64": True, "jax_numpy_dtype_promotion": "standard"},
    "jax-x32": {"jax_enable_x64": False, "jax_numpy_dtype_promotion": "standard"},
    "jax-strict": {"jax_numpy_dtype_promotion": "strict"},
}


@record
class PortedConfig(Config):
    """The user's options, with `changes` for `modules`.

    Other modules are checked as in every other survey, so that all surveys share mypy's cache of the libraries.
    """

    changes: tuple[tuple[str, Any], ...] = ()
    modules: Collection[str] = ()

    def for_module(self, module: str) -> Options:
        """The options of a module."""
        options = Config.for_module(self, module)  # dataclasses with slots have no `super()`
        return replace(options, **dict(self.changes)) if module in self.modules else options


def ported(config: Config, source: str, target: str, modules: Collection[str]) -> PortedConfig:
    """The user's options, with the two systems in place of all settings about systems and policies."""
    changes: dict[str, Any] = {"system": LIBRARY, "forbid": (), "portable_to": (target,)}
    changes |= _OF_A_LIBRARY.get(source, {"system": source})
    own = {each.name: getattr(config, each.name) for each in fields(config) if each.init}
    return PortedConfig(**own, changes=tuple(changes.items()), modules=modules)
