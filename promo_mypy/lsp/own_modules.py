"""Distinguish the modules of a repository from those of its libraries, by name."""

from collections.abc import Container
from typing import Final

from promo_mypy.checking.layout.placed import Placed


class OwnModules(Container[str]):
    """The modules whose files belong to the repository: those that are open, and what they import."""

    def __init__(self, layout: Placed) -> None:
        self._modules: Final = layout.imports.modules
        self._known: Final = {source.module: True for source in (*layout.sources, *layout.others)}

    def add(self, module: str) -> None:
        """Count a module that was not there before."""
        self._known[module] = True

    def __contains__(self, module: object) -> bool:
        name = str(module)
        if name not in self._known:
            self._known[name] = self._modules.owns_module(name)
        return self._known[name]
