"""Import every module of the plugin, in a process that forks for each run of mypy."""

from importlib import import_module
from pkgutil import walk_packages

import promo_mypy.plugin

for module in walk_packages(promo_mypy.plugin.__path__, f"{promo_mypy.plugin.__name__}."):
    import_module(module.name)
