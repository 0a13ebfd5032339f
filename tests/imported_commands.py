"""Import the modules of the commands, in a process that forks for each run of a command."""

import promo_mypy
from tests.imported_modules import import_modules

import_modules(promo_mypy)
