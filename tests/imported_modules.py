"""Import every module of a package, in a process that forks for each run."""

from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType


def import_modules(package: ModuleType) -> None:
    """Import the modules of a package, and those of the packages in it. The programs among them are not run."""
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith(".__main__"):
            import_module(module.name)
