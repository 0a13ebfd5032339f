"""Distinguish the modules of a repository from those of its libraries, by name."""

from collections.abc import Container, Iterable
from pathlib import Path
from typing import Final

from mypy.modulefinder import BuildSource

_SUFFIXES: Final = (".py", ".pyi")


class OwnModules(Container[str]):
    """The modules whose files are below some folders, and some others.

    Args:
        roots: the folders in which the names of modules begin.
        sources: further modules.
    """

    def __init__(self, roots: Iterable[str], sources: Iterable[BuildSource]) -> None:
        self._roots: Final = [Path(root) for root in roots]
        self._known: Final = {source.module: True for source in sources}

    def add(self, module: str) -> None:
        """Count a module whose file is elsewhere."""
        self._known[module] = True

    def __contains__(self, module: object) -> bool:
        name = str(module)
        if name not in self._known:
            self._known[name] = any(map(self._is_file, self._places(name)))
        return self._known[name]

    def _places(self, name: str) -> list[Path]:
        parts = name.split(".")
        return [place for root in self._roots for place in (root.joinpath(*parts), root.joinpath(*parts, "__init__"))]

    @staticmethod
    def _is_file(place: Path) -> bool:
        return any(place.with_name(place.name + suffix).is_file() for suffix in _SUFFIXES)
