"""Import every module of the plugin, in a process that forks for each run of mypy."""

import promo_mypy.plugin
from tests.imported_modules import import_modules

import_modules(promo_mypy.plugin)
