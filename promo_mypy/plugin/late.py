"""Read the modules that few programs need when they are first used: every run of mypy imports the plugin.

Half of the time of an import goes into reading byte code. A module in a block of `late()` is empty until somebody looks
up a name in it.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any, Final

_PLUGIN: Final = f"{__package__}."


class _LateModules:
    """Finds the plugin's modules in place of Python, and makes them empty."""

    def find_spec(self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None) -> Any:
        return ModuleSpec(fullname, _FINDER) if fullname.startswith(_PLUGIN) else None

    def create_module(self, _spec: ModuleSpec) -> None:
        """As Python makes modules."""

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__getattr__"] = partial(_read, module)


def _read(module: ModuleType, name: str) -> Any:
    """The value of a name in a module that is read for it."""
    del vars(module)["__getattr__"]
    spec = PathFinder.find_spec(module.__name__, import_module(str(module.__package__)).__path__)
    assert spec is not None, module
    assert spec.loader is not None, module
    vars(module).update(vars(module_from_spec(spec)))
    spec.loader.exec_module(module)
    return getattr(module, name)


_FINDER: Final[Any] = _LateModules()


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
