"""Import the modules of the commands, in a process that forks for each run of a command."""

from importlib import import_module
from pkgutil import walk_packages

import promo_mypy

for module in walk_packages(promo_mypy.__path__, f"{promo_mypy.__name__}."):
    if not module.name.endswith(".__main__"):
        import_module(module.name)
