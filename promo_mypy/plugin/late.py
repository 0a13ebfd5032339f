"""Delay the import of modules that few programs need until they are used: every run of mypy imports the plugin.

Half of the time of an import goes into reading byte code. A module in a block of `late()` is read when somebody looks
up a name in it, as by Python's `LazyLoader`.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any, Final

_PLUGIN: Final = f"{__package__}."


class _LateModules:
    """Finds the plugin's modules as Python does, with a loader that waits for the first use."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname.startswith(_PLUGIN) else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


_FINDER: Final = _LateModules()


@contextmanager
def late() -> Iterator[None]:
    """Within this context `from package import module` reads the module when it is used. Import no names from it."""
    sys.meta_path.insert(0, _FINDER)
    try:
        yield
    finally:
        sys.meta_path.remove(_FINDER)


@cache  # one object, as thousands of names share it
def late_feature(module: str, feature: str) -> Callable[..., Any]:
    """The function of a module of the plugin, for a table: the module is read at the first call."""
    return partial(_ask, module, feature)


def _ask(module: str, feature: str, *args: Any, **options: Any) -> Any:
    return getattr(import_module(_PLUGIN + module), feature)(*args, **options)
