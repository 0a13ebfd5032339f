"""A pytest plugin that hides the optional libraries: `-p tests.without_libraries`."""

import sys
from importlib.machinery import ModuleSpec
from typing import Any

from tests.needed import LIBRARIES

HIDDEN = frozenset(LIBRARIES) - {"numpy"}


class _Hiding:
    """One of Python's finders, except for the hidden libraries."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def find_spec(self, name: str, *where: Any) -> ModuleSpec | None:
        found: ModuleSpec | None = None if name.partition(".")[0] in HIDDEN else self._finder.find_spec(name, *where)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


def pytest_configure() -> None:
    """Hide them from here on, before a test is collected; whoever imports this module hides nothing."""
    sys.meta_path[:] = map(_Hiding, sys.meta_path)
