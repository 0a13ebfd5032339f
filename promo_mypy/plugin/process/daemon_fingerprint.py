"""The user's options to the one sign of change that mypy's daemon heeds: the version of the plugin's module.

Before every run the daemon makes a new plugin, keeps the one that it has, and restarts if file or `__version__` of the
plugin's module are others than at its start. Plain runs put them into mypy's cache, and one change drops all of it;
there `report_config_data` says module by module what a change of options costs. So the first plugin of a process
leaves the version alone, and only a later one with other options sets it. (tests/plugin/runs/test_own_systems.py)
"""

import json
import sys
from hashlib import sha256
from typing import Final

from promo_mypy.config import Config

_MODULE: Final = "promo_mypy.plugin"
_first: Final[list[str]] = []


def tell(config: Config, fault: str | None) -> None:
    """A plugin was made with these options, or found this fault in them."""
    everything = json.dumps([config.fingerprint(), fault], sort_keys=True)
    digest = sha256(everything.encode()).hexdigest()
    if not _first:
        _first.append(digest)
    module = sys.modules[_MODULE]
    if digest != _first[0]:
        module.__dict__["__version__"] = digest
    else:
        module.__dict__.pop("__version__", None)
